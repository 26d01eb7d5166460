/** Coordination by ZooKeeper. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.server.coordination.zookeeper;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
