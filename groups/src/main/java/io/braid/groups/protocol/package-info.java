/**
 * The grouping protocol (G-Store, section 4): ownership of keys passes from followers to a leader
 * and back, by messages.
 *
 * <p>{@link io.braid.groups.protocol.ProtocolNode} is a node: a <b>leader</b> for the groups that
 * were created at it and a <b>follower</b> ({@code FollowerRole}) for the keys that it owns. It has
 * no threads, no clock and no I/O. Each call answers with {@link io.braid.groups.protocol.Actions}:
 * first the {@link io.braid.groups.protocol.Transition transitions} to log, then the {@link
 * io.braid.groups.protocol.Envelope messages} to send, which must wait until the transitions are
 * durable. Its state ({@code NodeState}) is nothing but the transitions that it has made; applying
 * the log of a dead node gives its state again.
 */
@NullMarked
package io.braid.groups.protocol;

import org.jspecify.annotations.NullMarked;
