/**
 * The facts on which processes of one database must agree outside of it: which processes are alive,
 * which are members, and small registers that change by compare-and-set. {@link
 * io.braid.server.coordination.Coordination} has an implementation within one process and one over
 * ZooKeeper.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.server.coordination;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
