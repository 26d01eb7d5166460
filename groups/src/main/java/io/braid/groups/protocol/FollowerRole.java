package io.braid.groups.protocol;

import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The work of a node for the keys that it owns: it yields them to the leaders that ask for them,
 * and has them back when their groups end. It answers J, JAA and D.
 */
final class FollowerRole {
  private final String name;
  private final KeyOwners owners;
  private final ProtocolOptions options;
  private final NodeState state;
  private final FollowedKeys followed;
  private long now;

  FollowerRole(String name, KeyOwners owners, ProtocolOptions options, NodeState state) {
    this.name = name;
    this.owners = owners;
    this.options = options;
    this.state = state;
    this.followed = state.followed();
  }

  /**
   * Handles a J.
   *
   * @param unavailable keys that this node cannot yield, regardless of its own state, and why
   */
  void join(String from, Message.Join join, Map<Row, String> unavailable, Actions actions) {
    List<Yield> fresh = new ArrayList<>();
    List<Yield> answer = new ArrayList<>();
    List<JoinRefusal> refused = new ArrayList<>();
    long id = state.nextYield();
    for (Row key : join.keys()) {
      FollowedKeys.HeldKey held = followed.of(key);
      String obstacle = unavailable.get(key);
      if (obstacle != null) {
        refused.add(new JoinRefusal(key, obstacle));
      } else if (held != null && held.group().equals(join.group())) {
        answer.add(new Yield(key, held.yieldId()));
      } else if (held != null) {
        refused.add(new JoinRefusal(key, "is held by group " + held.group()));
      } else if (!owners.mayYield(key, name)) {
        refused.add(new JoinRefusal(key, "has moved to another node"));
      } else {
        fresh.add(new Yield(key, id));
      }
    }
    if (!fresh.isEmpty()) {
      answer.addAll(fresh);
      state.log(actions, new Transition.Yielding(join.group(), fresh));
      if (options.reliable()) {
        state.log(actions, new Transition.Yielded(join.group(), Yield.keys(fresh)));
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

  /** JAA. */
  void joinAckAck(Message.JoinAckAck ack, Actions actions) {
    List<Row> confirmed = new ArrayList<>();
    for (Yield each : ack.yielded()) {
      FollowedKeys.HeldKey held = followed.of(each.key());
      if (held != null
          && held.group().equals(ack.group())
          && !held.confirmed()
          && followed.isFresh(held, each)) {
        confirmed.add(each.key());
      }
    }
    if (!confirmed.isEmpty()) {
      state.log(actions, new Transition.Yielded(ack.group(), confirmed));
    }
  }

  /** Handles a D. It is answered in any case. */
  void delete(String from, Message.Delete delete, Actions actions) {
    List<Row> regained = new ArrayList<>();
    for (Row key : delete.keys()) {
      FollowedKeys.HeldKey held = followed.of(key);
      if (held != null && held.group().equals(delete.group())) {
        regained.add(key);
      }
    }
    if (!regained.isEmpty()) {
      state.log(actions, new Transition.Regained(delete.group(), regained));
    }
    if (!options.reliable()) {
      actions.send(name, from, new Message.DeleteAck(delete.group(), delete.keys()));
    }
  }

  /** Takes keys back that were yielded to a group, as it turns out, long ago. */
  void regain(Iterable<Row> keys, Actions actions) {
    for (Row key : keys) {
      FollowedKeys.HeldKey held = followed.of(key);
      if (held != null) {
        state.log(actions, new Transition.Regained(held.group(), List.of(key)));
      }
    }
  }

  /** Sets the time. */
  void at(long nanos) {
    now = nanos;
  }

  /** Sends JA again where no JAA came in time. */
  void sendAgain(Actions actions) {
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
}
