package io.braid.groups.protocol;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state that a node of the protocol needs after a crash: the groups that it leads and the keys
 * that it has yielded. Only transitions change the state. Each transition also goes to the log,
 * with the actions that it causes, so that the log rebuilds the state.
 */
final class NodeState {
  private final FollowedKeys followed;
  private final Map<GroupId, ProtocolGroup> led = new TreeMap<>();
  private final Map<String, GroupId> names = new LinkedHashMap<>();
  private long lastGroup;
  private long lastYield;

  NodeState(FollowedKeys followed) {
    this.followed = followed;
  }

  void log(Actions actions, Transition transition) {
    actions.log(transition);
    apply(transition);
  }

  void apply(Transition transition) {
    if (transition instanceof Transition.Created created) {
      led.put(created.group(), new ProtocolGroup(created));
      names.put(created.name(), created.group());
      lastGroup = Math.max(lastGroup, created.group().number());
    } else if (transition instanceof Transition.Joined joined) {
      require(joined.group()).joined(joined.keys());
    } else if (transition instanceof Transition.Refused refused) {
      require(refused.group()).refused(refused.keys());
    } else if (transition instanceof Transition.Deleting deleting) {
      require(deleting.group()).deleting();
    } else if (transition instanceof Transition.Released released) {
      ProtocolGroup group = require(released.group());
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

  ProtocolGroup require(GroupId id) {
    ProtocolGroup group = led.get(id);
    if (group == null) {
      throw new IllegalStateException("The log tells of group " + id + " before its creation.");
    }
    return group;
  }

  /** The transitions that make a state like this. */
  List<Transition> toTransitions() {
    List<Transition> all = new ArrayList<>();
    all.add(new Transition.Counters(lastGroup, lastYield));
    led.values().forEach(group -> all.addAll(group.toTransitions()));
    all.addAll(followed.toTransitions());
    return all;
  }

  /** The groups that are led here, whatever their phase. */
  Map<GroupId, ProtocolGroup> led() {
    return led;
  }

  /** The group that a client calls so. */
  @Nullable GroupId named(String name) {
    return names.get(name);
  }

  FollowedKeys followed() {
    return followed;
  }

  /** A number that no group of this node has had. */
  long nextGroup() {
    return lastGroup + 1;
  }

  /** An id that no yield of this node has had. */
  long nextYield() {
    return lastYield + 1;
  }
}
