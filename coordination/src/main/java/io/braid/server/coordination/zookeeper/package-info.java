/** Coordination by ZooKeeper. */
@NullMarked
package io.braid.server.coordination.zookeeper;

import org.jspecify.annotations.NullMarked;
