package io.braid.groups.protocol;

import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
 */
public final class ProtocolNode {
  private final String name;
  private final KeyOwners owners;
  private final ProtocolOptions options;
  private final FollowedKeys followed;
  private final Map<GroupId, LedGroup> led = new TreeMap<>();
  private final Map<String, GroupId> names = new LinkedHashMap<>();
  private long lastGroup;
  private long lastYield;
  private long now;

  public ProtocolNode(String name, KeyOwners owners, ProtocolOptions options) {
    this(name, owners, options, new FollowedKeys());
  }

  ProtocolNode(String name, KeyOwners owners, ProtocolOptions options, FollowedKeys followed) {
    this.name = name;
    this.owners = owners;
    this.options = options;
    this.followed = followed;
  }

  /**
   * Takes up the state that a log tells of, before anything else is done, and ends what the crash
   * left half done.
   */
  public void recover(Collection<Transition> log, Actions actions) {
    log.forEach(this::apply);
    for (LedGroup group : List.copyOf(led.values())) {
      if (group.isGone()) {
        released(group.id(), List.of(), actions);
      } else if (!group.isDeleting()) {
        formed(group, actions);
      }
    }
  }

  // The client's requests.

  /**
   * Creates a group (4.2, group create request). Asked again with the same name, while the group is
   * there, it creates no other.
   *
   * @param client what the client calls the group
   * @param leader a key that this node owns, one of the members
   * @param asking the group, once it is logged
   */
  public GroupId create(
      String client, Row leader, Collection<Row> members, Mode mode, Actions asking) {
    return create(client, lastGroup + 1, leader, members, mode, asking);
  }

  /**
   * As the other, with an identity that was drawn elsewhere.
   *
   * @param number never used before, for whatever group
   */
  public GroupId create(
      String client, long number, Row leader, Collection<Row> members, Mode mode, Actions asking) {
    GroupId before = names.get(client);
    if (before != null) {
      return before;
    }
    GroupId id = new GroupId(name, number, leader);
    log(asking, new Transition.Created(id, client, mode, List.copyOf(members)));
    ask(require(id), asking);
    return id;
  }

  /** Leads a group that was formed by another node, or by this one in an earlier life. */
  public GroupId adopt(
      String client, long number, Row leader, Collection<Row> members, Actions actions) {
    GroupId id = new GroupId(name, number, leader);
    if (!led.containsKey(id)) {
      List<Row> keys = List.copyOf(members);
      log(actions, new Transition.Created(id, client, Mode.BEST_EFFORT, keys));
      log(actions, new Transition.Joined(id, keys));
    }
    return id;
  }

  /**
   * Takes keys back that were yielded to a group, as it turns out, long ago.
   *
   * @param keys that this node owns without doubt
   */
  public void regain(Collection<Row> keys, Actions actions) {
    for (Row key : keys) {
      FollowedKeys.Held held = followed.of(key);
      if (held != null) {
        log(actions, new Transition.Regained(held.group(), List.of(key)));
      }
    }
  }

  /** Another node leads the group now: this one forgets it, and tells nobody. */
  public void abandon(GroupId id, Actions actions) {
    LedGroup group = led.get(id);
    if (group != null) {
      log(actions, new Transition.Deleting(id));
      log(actions, new Transition.Released(id, group.members()));
    }
  }

  /** The groups that this node leads, or has yielded keys to. */
  public Set<GroupId> known() {
    Set<GroupId> all = new TreeSet<>(led.keySet());
    followed.held().values().forEach(held -> all.add(held.group()));
    return all;
  }

  /**
   * Forgets groups of which it is known that no key is held for them any more, nor ever will be.
   */
  public void forget(Set<GroupId> ids, Actions actions) {
    ids.forEach(id -> abandon(id, actions));
    followed.keysOf(ids).forEach((id, keys) -> log(actions, new Transition.Regained(id, keys)));
  }

  /** Deletes a group, formed or not (4.2, group delete request). */
  public void delete(GroupId id, Actions actions) {
    LedGroup group = led.get(id);
    if (group == null) {
      actions.tell(new Notice.Deleted(id));
    } else if (!group.isDeleting()) {
      dissolve(group, actions);
    }
  }

  /** Something to be told to a node, and what it does about it. */
  public static Actions actions() {
    return new Actions();
  }

  // Messages.

  public void receive(Envelope envelope, Actions actions) {
    receive(envelope, Map.of(), actions);
  }

  /**
   * Deals with a message.
   *
   * @param unavailable of a J: keys that this node cannot yield, whatever it knows of them itself,
   *     and why
   */
  public void receive(Envelope envelope, Map<Row, String> unavailable, Actions actions) {
    Message message = envelope.message();
    if (message instanceof Message.Join join) {
      join(envelope.from(), join, unavailable, actions);
    } else if (message instanceof Message.JoinAck ack) {
      joinAck(envelope.from(), ack, actions);
    } else if (message instanceof Message.JoinAckAck ack) {
      joinAckAck(ack, actions);
    } else if (message instanceof Message.Delete delete) {
      deleteRequest(envelope.from(), delete, actions);
    } else if (message instanceof Message.DeleteAck ack) {
      released(ack.group(), ack.keys(), actions);
    }
  }

  /** J at the follower. */
  private void join(String from, Message.Join join, Map<Row, String> unavailable, Actions actions) {
    List<Yield> fresh = new ArrayList<>();
    List<Yield> answer = new ArrayList<>();
    List<NotJoined> refused = new ArrayList<>();
    long id = lastYield + 1;
    for (Row key : join.keys()) {
      FollowedKeys.Held held = followed.of(key);
      String obstacle = unavailable.get(key);
      if (obstacle != null) {
        refused.add(new NotJoined(key, obstacle));
      } else if (held != null && held.group().equals(join.group())) {
        answer.add(new Yield(key, held.yieldId()));
      } else if (held != null) {
        refused.add(new NotJoined(key, "is held by group " + held.group()));
      } else if (!owners.mayYield(key, name)) {
        refused.add(new NotJoined(key, "has moved to another node"));
      } else {
        fresh.add(new Yield(key, id));
      }
    }
    if (!fresh.isEmpty()) {
      answer.addAll(fresh);
      log(actions, new Transition.Yielding(join.group(), fresh));
      if (options.reliable()) {
        log(actions, new Transition.Yielded(join.group(), keys(fresh)));
      }
      waitForJoinAckAck(join.group());
    }
    actions.send(name, from, new Message.JoinAck(join.group(), answer, refused));
  }

  private void waitForJoinAckAck(GroupId group) {
    FollowedKeys.Retry retry = followed.unconfirmed().get(group);
    if (retry != null) {
      retry.at = now + options.retryNanos(retry.tries++);
    }
  }

  /** JA at the leader. */
  private void joinAck(String from, Message.JoinAck ack, Actions actions) {
    LedGroup group = led.get(ack.group());
    if (group == null || group.isDeleting()) {
      undo(from, ack.group(), keys(ack.yielded()), actions);
      return;
    }
    List<Row> joined = new ArrayList<>();
    List<Yield> acknowledged = new ArrayList<>();
    List<Row> late = new ArrayList<>();
    for (Yield each : ack.yielded()) {
      LedGroup.Membership before = group.of(each.key());
      if (before == LedGroup.Membership.REFUSED) {
        late.add(each.key());
      } else {
        acknowledged.add(each);
        if (before == LedGroup.Membership.ASKED) {
          joined.add(each.key());
        }
      }
    }
    undo(from, group.id(), late, actions);
    boolean wasForming = group.isForming();
    if (!joined.isEmpty()) {
      log(actions, new Transition.Joined(group.id(), joined));
      actions.tell(new Notice.MembersJoined(group.id(), joined));
    }
    if (!acknowledged.isEmpty() && !options.reliable()) {
      actions.send(name, from, new Message.JoinAckAck(group.id(), acknowledged));
    }
    List<NotJoined> refused =
        ack.refused().stream()
            .filter(each -> group.of(each.key()) == LedGroup.Membership.ASKED)
            .toList();
    if (!refused.isEmpty()) {
      log(actions, new Transition.Refused(group.id(), refused));
    }
    if (wasForming) {
      formed(group, actions);
    }
  }

  /** The creation phase may be over. */
  private void formed(LedGroup group, Actions actions) {
    List<NotJoined> refused = group.notJoined();
    boolean failed =
        !refused.isEmpty()
            && (group.mode() == Mode.ATOMIC
                || group.of(group.id().leader()) == LedGroup.Membership.REFUSED);
    if (failed) {
      actions.tell(new Notice.Failed(group.id(), refused));
      dissolve(group, actions);
    } else if (group.isLive()) {
      actions.tell(new Notice.Formed(group.id(), group.keys(LedGroup.Membership.JOINED), refused));
    }
  }

  /** D for keys that the group does not want, or not any more; neither logged nor sent again. */
  private void undo(String to, GroupId group, List<Row> keys, Actions actions) {
    if (!keys.isEmpty()) {
      actions.send(name, to, new Message.Delete(group, keys));
    }
  }

  /** JAA at the follower. */
  private void joinAckAck(Message.JoinAckAck ack, Actions actions) {
    List<Row> confirmed = new ArrayList<>();
    for (Yield each : ack.yielded()) {
      FollowedKeys.Held held = followed.of(each.key());
      if (held != null
          && held.group().equals(ack.group())
          && !held.confirmed()
          && followed.isFresh(held, each)) {
        confirmed.add(each.key());
      }
    }
    if (!confirmed.isEmpty()) {
      log(actions, new Transition.Yielded(ack.group(), confirmed));
    }
  }

  /** D at the follower: answered whatever it means here. */
  private void deleteRequest(String from, Message.Delete delete, Actions actions) {
    List<Row> regained = new ArrayList<>();
    for (Row key : delete.keys()) {
      FollowedKeys.Held held = followed.of(key);
      if (held != null && held.group().equals(delete.group())) {
        regained.add(key);
      }
    }
    if (!regained.isEmpty()) {
      log(actions, new Transition.Regained(delete.group(), regained));
    }
    if (!options.reliable()) {
      actions.send(name, from, new Message.DeleteAck(delete.group(), delete.keys()));
    }
  }

  /** DA at the leader. */
  private void released(GroupId id, List<Row> keys, Actions actions) {
    LedGroup group = led.get(id);
    if (group != null && group.isDeleting()) {
      log(actions, new Transition.Released(id, keys));
      if (!led.containsKey(id)) {
        actions.tell(new Notice.Deleted(id));
      }
    }
  }

  private void dissolve(LedGroup group, Actions actions) {
    log(actions, new Transition.Deleting(group.id()));
    if (group.isGone()) {
      log(actions, new Transition.Released(group.id(), List.of()));
      actions.tell(new Notice.Deleted(group.id()));
      return;
    }
    ask(group, actions);
    if (options.reliable()) {
      // Nothing overtakes the D, and nothing comes back: the keys are as good as released.
      List<Row> keys = new ArrayList<>(group.keys(LedGroup.Membership.JOINED));
      keys.addAll(group.keys(LedGroup.Membership.ASKED));
      released(group.id(), keys, actions);
    }
  }

  // Time.

  /**
   * Sends again what was not answered in time.
   *
   * @param nanos of a clock that never goes back
   */
  public void tick(long nanos, Actions actions) {
    now = nanos;
    if (options.reliable()) {
      return;
    }
    for (LedGroup group : led.values()) {
      if (!group.isLive() && group.retryAt() <= now) {
        ask(group, actions);
      }
    }
    followed
        .unconfirmed()
        .forEach(
            (group, retry) -> {
              if (retry.at <= now) {
                retry.at = now + options.retryNanos(retry.tries++);
                actions.send(
                    name, group.home(), new Message.JoinAck(group, retry.yields(), List.of()));
              }
            });
  }

  /** Sends J, or D, to every node that has yet to answer. */
  private void ask(LedGroup group, Actions actions) {
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

  private void log(Actions actions, Transition transition) {
    actions.log(transition);
    apply(transition);
  }

  private void apply(Transition transition) {
    if (transition instanceof Transition.Created created) {
      led.put(created.group(), new LedGroup(created));
      names.put(created.name(), created.group());
      lastGroup = Math.max(lastGroup, created.group().number());
    } else if (transition instanceof Transition.Joined joined) {
      require(joined.group()).joined(joined.keys());
    } else if (transition instanceof Transition.Refused refused) {
      require(refused.group()).refused(refused.keys());
    } else if (transition instanceof Transition.Deleting deleting) {
      require(deleting.group()).deleting();
    } else if (transition instanceof Transition.Released released) {
      LedGroup group = require(released.group());
      group.released(released.keys());
      if (group.isGone()) {
        led.remove(group.id());
        names.remove(group.name());
      }
    } else if (transition instanceof Transition.Yielding yielding) {
      followed.yielding(yielding.group(), yielding.yields());
      yielding.yields().forEach(each -> lastYield = Math.max(lastYield, each.id()));
    } else if (transition instanceof Transition.Yielded yielded) {
      followed.yielded(yielded.group(), yielded.keys());
    } else if (transition instanceof Transition.Regained regained) {
      followed.regained(regained.group(), regained.keys());
    } else if (transition instanceof Transition.Counters counters) {
      lastGroup = Math.max(lastGroup, counters.group());
      lastYield = Math.max(lastYield, counters.yield());
    }
  }

  private LedGroup require(GroupId id) {
    LedGroup group = led.get(id);
    if (group == null) {
      throw new IllegalStateException("The log tells of group " + id + " before its creation.");
    }
    return group;
  }

  /** What a new log must begin with so that the old one can go. */
  public List<Transition> checkpoint() {
    List<Transition> all = new ArrayList<>();
    all.add(new Transition.Counters(lastGroup, lastYield));
    led.values().forEach(group -> all.addAll(group.toTransitions()));
    all.addAll(followed.toTransitions());
    return all;
  }

  public String name() {
    return name;
  }

  /** The groups that are led here, whatever their phase. */
  public Collection<LedGroup> led() {
    return led.values();
  }

  public Optional<LedGroup> led(GroupId id) {
    return Optional.ofNullable(led.get(id));
  }

  /** The group that a key of this node was yielded to; null when the node owns it itself. */
  public @Nullable GroupId yieldedTo(Row key) {
    FollowedKeys.Held held = followed.of(key);
    return held == null ? null : held.group();
  }

  /** How many keys of this node are yielded. */
  public int yieldedKeys() {
    return followed.held().size();
  }

  private static List<Row> keys(List<Yield> yields) {
    return yields.stream().map(Yield::key).toList();
  }
}
