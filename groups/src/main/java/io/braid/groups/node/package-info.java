/**
 * The middleware design (G-Store, section 5.2): group nodes that each own keys and speak the {@link
 * io.braid.groups.protocol grouping protocol} with each other, and the messages of their clients.
 *
 * <p>A {@link io.braid.groups.node.GroupNode} is a leader for the groups whose leader keys it owns,
 * and a follower for its keys: when a leader asks for a key, it takes the hold in the row; when the
 * group is deleted, it releases the hold. So the state that must not be lost is in the store, in
 * two places: the decisions of leaders in the group's record, the yields of followers in the rows.
 * A node that comes back has nothing to replay but the commits of its groups. A key that another
 * node believes to own is safe: the row decides.
 *
 * <p>{@link io.braid.groups.node.Transport} carries messages, reliably or not. {@link
 * io.braid.groups.node.RemoteGroups} is the client.
 */
@NullMarked
package io.braid.groups.node;

import org.jspecify.annotations.NullMarked;
