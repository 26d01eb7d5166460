/**
 * What processes on one database must agree on outside of it: who is alive, who is a member, and
 * small registers that change by compare-and-set. {@link io.braid.server.coordination.Coordination}
 * has an implementation within one process and one over ZooKeeper.
 */
@NullMarked
package io.braid.server.coordination;

import org.jspecify.annotations.NullMarked;
