/**
 * The middleware design (G-Store, section 5.2): group nodes that each own keys, and speak the
 * {@link io.braid.groups.protocol grouping protocol} with each other; and what clients say to them.
 *
 * <p>A {@link io.braid.groups.node.GroupNode} is a leader for the groups whose leader keys it owns,
 * and a follower for its keys: a J makes it take the hold in the row, a D makes it release it. So
 * the state that must not be lost stands in the store, in two places: what leaders decided in the
 * group's record, what followers yielded in the rows. A node that comes back has nothing to replay
 * but the commits of its groups, and a key that another node believes to own is safe: the row
 * decides.
 *
 * <p>{@link io.braid.groups.node.Transport} carries messages, reliably or not. {@link
 * io.braid.groups.node.RemoteGroups} is the client.
 */
@NullMarked
package io.braid.groups.node;

import org.jspecify.annotations.NullMarked;
