package io.braid.groups.protocol;

import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A node of the grouping protocol: leader of the groups created here, follower for the keys it
 * owns. For one thread at a time.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A key has one owner at most: the leader owns it from <i>joined</i> to <i>deleting</i>, its
 *       follower before <i>yielding</i> and after <i>regained</i>; and of these four each follows
 *       the one before through a message.
 *   <li>A group that is being deleted, or that the leader does not know, is never acknowledged: its
 *       JA is answered by D, so that ghosts die.
 *   <li>A key that was refused once never joins that group: a join that comes late is undone.
 * </ul>
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ProtocolNode {
  private final String name;
  private final KeyOwners owners;
  private final ProtocolOptions options;
  private final NodeState state;
  private final FollowerRole follower;
  private long now;

  public ProtocolNode(String name, KeyOwners owners, ProtocolOptions options) {
    this(name, owners, options, new FollowedKeys());
  }

  ProtocolNode(String name, KeyOwners owners, ProtocolOptions options, FollowedKeys followed) {
    this.name = name;
    this.owners = owners;
    this.options = options;
    this.state = new NodeState(followed);
    this.follower = new FollowerRole(name, owners, options, state);
  }

  /**
   * Takes up the state in a log, before anything else is done. Also ends the actions that the crash
   * interrupted.
   */
  public void recover(Collection<Transition> log, Actions actions) {
    log.forEach(state::apply);
    for (ProtocolGroup group : List.copyOf(state.led().values())) {
      if (group.isGone()) {
        released(group.id(), List.of(), actions);
      } else if (!group.isDeleting()) {
        formed(group, actions);
      }
    }
  }

  // The client's requests.

  /**
   * Creates a group (4.2, group create request). A repeated request with the same name creates no
   * other while the group is there.
   *
   * @param client the client's name for the group
   * @param leader a key that this node owns, one of the members
   * @param asking the group, once it is logged
   */
  public GroupId create(
      String client, Row leader, Collection<Row> members, Mode mode, Actions asking) {
    return create(client, state.nextGroup(), leader, members, mode, asking);
  }

  /**
   * Creates a group with an identity that was drawn elsewhere.
   *
   * @param number never used before, for any group
   */
  public GroupId create(
      String client, long number, Row leader, Collection<Row> members, Mode mode, Actions asking) {
    GroupId before = state.named(client);
    if (before != null) {
      return before;
    }
    GroupId id = new GroupId(name, number, leader);
    state.log(asking, new Transition.Created(id, client, mode, List.copyOf(members)));
    ask(state.require(id), asking);
    return id;
  }

  /** Leads a group that was formed by another node, or by this one in an earlier life. */
  public GroupId adopt(
      String client, long number, Row leader, Collection<Row> members, Actions actions) {
    GroupId id = new GroupId(name, number, leader);
    if (!state.led().containsKey(id)) {
      List<Row> keys = List.copyOf(members);
      state.log(actions, new Transition.Created(id, client, Mode.BEST_EFFORT, keys));
      state.log(actions, new Transition.Joined(id, keys));
    }
    return id;
  }

  /**
   * Takes keys back that were yielded to a group, as it turns out, long ago.
   *
   * @param keys that this node owns without doubt
   */
  public void regain(Collection<Row> keys, Actions actions) {
    follower.regain(keys, actions);
  }

  /** Forgets a group that another node leads now, and notifies no one. */
  public void abandon(GroupId id, Actions actions) {
    ProtocolGroup group = state.led().get(id);
    if (group != null) {
      state.log(actions, new Transition.Deleting(id));
      state.log(actions, new Transition.Released(id, group.members()));
    }
  }

  /** The groups that this node leads, or has yielded keys to. */
  public Set<GroupId> known() {
    Set<GroupId> all = new TreeSet<>(state.led().keySet());
    state.followed().held().values().forEach(held -> all.add(held.group()));
    return all;
  }

  /**
   * Forgets groups of which it is known that no key is held for them any more, nor ever will be.
   */
  public void forget(Set<GroupId> ids, Actions actions) {
    ids.forEach(id -> abandon(id, actions));
    state
        .followed()
        .keysOf(ids)
        .forEach((id, keys) -> state.log(actions, new Transition.Regained(id, keys)));
  }

  /** Deletes a group, formed or not (4.2, group delete request). */
  public void delete(GroupId id, Actions actions) {
    ProtocolGroup group = state.led().get(id);
    if (group == null) {
      actions.tell(new Notice.Deleted(id));
    } else if (!group.isDeleting()) {
      dissolve(group, actions);
    }
  }

  /** Returns an empty list of actions, which the methods of a node fill. */
  public static Actions actions() {
    return new Actions();
  }

  // Messages.

  public void receive(Envelope envelope, Actions actions) {
    receive(envelope, Map.of(), actions);
  }

  /**
   * Handles a message.
   *
   * @param unavailable of a J: keys that this node cannot yield, regardless of its own state, and
   *     why
   */
  public void receive(Envelope envelope, Map<Row, String> unavailable, Actions actions) {
    Message message = envelope.message();
    if (message instanceof Message.Join join) {
      follower.join(envelope.from(), join, unavailable, actions);
    } else if (message instanceof Message.JoinAck ack) {
      joinAck(envelope.from(), ack, actions);
    } else if (message instanceof Message.JoinAckAck ack) {
      follower.joinAckAck(ack, actions);
    } else if (message instanceof Message.Delete delete) {
      follower.delete(envelope.from(), delete, actions);
    } else if (message instanceof Message.DeleteAck ack) {
      released(ack.group(), ack.keys(), actions);
    }
  }

  /** JA at the leader. */
  private void joinAck(String from, Message.JoinAck ack, Actions actions) {
    ProtocolGroup group = state.led().get(ack.group());
    if (group == null || group.isDeleting()) {
      undo(from, ack.group(), Yield.keys(ack.yielded()), actions);
      return;
    }
    List<Row> joined = new ArrayList<>();
    List<Yield> acknowledged = new ArrayList<>();
    List<Row> late = new ArrayList<>();
    for (Yield each : ack.yielded()) {
      ProtocolGroup.Membership before = group.of(each.key());
      if (before == ProtocolGroup.Membership.REFUSED) {
        late.add(each.key());
      } else {
        acknowledged.add(each);
        if (before == ProtocolGroup.Membership.ASKED) {
          joined.add(each.key());
        }
      }
    }
    undo(from, group.id(), late, actions);
    boolean wasForming = group.isForming();
    if (!joined.isEmpty()) {
      state.log(actions, new Transition.Joined(group.id(), joined));
      actions.tell(new Notice.MembersJoined(group.id(), joined));
    }
    if (!acknowledged.isEmpty() && !options.reliable()) {
      actions.send(name, from, new Message.JoinAckAck(group.id(), acknowledged));
    }
    List<JoinRefusal> refused =
        ack.refused().stream()
            .filter(each -> group.of(each.key()) == ProtocolGroup.Membership.ASKED)
            .toList();
    if (!refused.isEmpty()) {
      state.log(actions, new Transition.Refused(group.id(), refused));
    }
    if (wasForming) {
      formed(group, actions);
    }
  }

  /** The creation phase may be over. */
  private void formed(ProtocolGroup group, Actions actions) {
    List<JoinRefusal> refused = group.notJoined();
    boolean failed =
        !refused.isEmpty()
            && (group.mode() == Mode.ATOMIC
                || group.of(group.id().leader()) == ProtocolGroup.Membership.REFUSED);
    if (failed) {
      actions.tell(new Notice.Failed(group.id(), refused));
      dissolve(group, actions);
    } else if (group.isLive()) {
      actions.tell(
          new Notice.Formed(group.id(), group.keys(ProtocolGroup.Membership.JOINED), refused));
    }
  }

  /** D for keys that the group does not want, or not any more; neither logged nor sent again. */
  private void undo(String to, GroupId group, List<Row> keys, Actions actions) {
    if (!keys.isEmpty()) {
      actions.send(name, to, new Message.Delete(group, keys));
    }
  }

  /** DA at the leader. */
  private void released(GroupId id, List<Row> keys, Actions actions) {
    ProtocolGroup group = state.led().get(id);
    if (group != null && group.isDeleting()) {
      state.log(actions, new Transition.Released(id, keys));
      if (!state.led().containsKey(id)) {
        actions.tell(new Notice.Deleted(id));
      }
    }
  }

  private void dissolve(ProtocolGroup group, Actions actions) {
    state.log(actions, new Transition.Deleting(group.id()));
    if (group.isGone()) {
      state.log(actions, new Transition.Released(group.id(), List.of()));
      actions.tell(new Notice.Deleted(group.id()));
      return;
    }
    ask(group, actions);
    if (options.reliable()) {
      // Nothing overtakes the D, and nothing comes back: the keys are as good as released.
      List<Row> keys = new ArrayList<>(group.keys(ProtocolGroup.Membership.JOINED));
      keys.addAll(group.keys(ProtocolGroup.Membership.ASKED));
      released(group.id(), keys, actions);
    }
  }

  // Time.

  /**
   * Sends messages again that were not answered in time.
   *
   * @param nanos of a clock that never goes back
   */
  public void tick(long nanos, Actions actions) {
    now = nanos;
    follower.at(nanos);
    if (options.reliable()) {
      return;
    }
    for (ProtocolGroup group : state.led().values()) {
      if (!group.isLive() && group.retryAt() <= now) {
        ask(group, actions);
      }
    }
    follower.sendAgain(actions);
  }

  /** Sends J, or D, to every node that has yet to answer. */
  private void ask(ProtocolGroup group, Actions actions) {
    group.retryAt(now + options.retryNanos(group.tries()));
    group
        .awaited(owners)
        .forEach(
            (node, keys) ->
                actions.send(
                    name,
                    node,
                    group.isDeleting()
                        ? new Message.Delete(group.id(), keys)
                        : new Message.Join(group.id(), keys)));
  }

  // State.

  /** Returns the transitions that a new log must begin with so that the old one can be removed. */
  public List<Transition> checkpoint() {
    return state.toTransitions();
  }

  public String name() {
    return name;
  }

  /** The groups that are led here, whatever their phase. */
  public Collection<ProtocolGroup> led() {
    return state.led().values();
  }

  public Optional<ProtocolGroup> led(GroupId id) {
    return Optional.ofNullable(state.led().get(id));
  }

  /** The group that a key of this node was yielded to; null when the node owns it itself. */
  public @Nullable GroupId yieldedTo(Row key) {
    FollowedKeys.HeldKey held = state.followed().of(key);
    return held == null ? null : held.group();
  }

  /** How many keys of this node are yielded. */
  public int yieldedKeys() {
    return state.followed().held().size();
  }
}
