package io.braid.groups.protocol;

import io.braid.core.data.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * A group as its leader knows it. Changed by transitions only.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ProtocolGroup {
  private final GroupId id;
  private final String name;
  private final Mode mode;
  private final Map<Row, Membership> members = new LinkedHashMap<>();
  private final Map<Row, String> refused = new LinkedHashMap<>();
  private boolean deleting;
  private int asked;
  private int unsettled;
  private long retryAt;
  private int tries;

  /** How far a member has come. */
  public enum Membership {
    ASKED,
    JOINED,
    REFUSED,
    RELEASED
  }

  ProtocolGroup(Transition.Created created) {
    this.id = created.group();
    this.name = created.name();
    this.mode = created.mode();
    created.members().forEach(key -> members.put(key, Membership.ASKED));
    this.asked = members.size();
    this.unsettled = members.size();
  }

  public GroupId id() {
    return id;
  }

  /** Returns the name that its client gave it. */
  public String name() {
    return name;
  }

  Mode mode() {
    return mode;
  }

  public boolean isForming() {
    return !deleting && asked > 0;
  }

  public boolean isLive() {
    return !deleting && asked == 0;
  }

  public boolean isDeleting() {
    return deleting;
  }

  /** Whether the leader owns the key by this group: from the join until the deletion begins. */
  public boolean owns(Row key) {
    return !deleting && members.get(key) == Membership.JOINED;
  }

  /** Whether every follower owns its keys again. */
  boolean isGone() {
    return deleting && unsettled == 0;
  }

  Membership of(Row key) {
    return members.getOrDefault(key, Membership.REFUSED);
  }

  /** Returns all keys that were asked, regardless of the result. */
  public List<Row> members() {
    return List.copyOf(members.keySet());
  }

  public List<Row> keys(Membership state) {
    List<Row> keys = new ArrayList<>();
    members.forEach(
        (key, membership) -> {
          if (membership == state) {
            keys.add(key);
          }
        });
    return keys;
  }

  public List<JoinRefusal> notJoined() {
    List<JoinRefusal> all = new ArrayList<>();
    refused.forEach((key, why) -> all.add(new JoinRefusal(key, why)));
    return all;
  }

  void joined(List<Row> keys) {
    for (Row key : keys) {
      if (members.replace(key, Membership.ASKED, Membership.JOINED)) {
        asked--;
      }
    }
  }

  void refused(List<JoinRefusal> keys) {
    for (JoinRefusal each : keys) {
      if (members.replace(each.key(), Membership.ASKED, Membership.REFUSED)) {
        refused.put(each.key(), each.why());
        asked--;
        unsettled--;
      }
    }
  }

  void deleting() {
    deleting = true;
    tries = 0;
  }

  void released(List<Row> keys) {
    for (Row key : keys) {
      Membership before = members.get(key);
      if (before == Membership.ASKED || before == Membership.JOINED) {
        members.put(key, Membership.RELEASED);
        unsettled--;
      }
    }
  }

  /** The keys that an answer is missing of, by the nodes that own them. */
  Map<String, List<Row>> awaited(KeyOwners owners) {
    Map<String, List<Row>> byNode = new TreeMap<>();
    members.forEach(
        (key, membership) -> {
          boolean awaited =
              membership == Membership.ASKED || (deleting && membership == Membership.JOINED);
          if (awaited) {
            byNode.computeIfAbsent(owners.owner(key), node -> new ArrayList<>()).add(key);
          }
        });
    return byNode;
  }

  long retryAt() {
    return retryAt;
  }

  void retryAt(long nanos) {
    retryAt = nanos;
    tries++;
  }

  int tries() {
    return tries;
  }

  /** The transitions that make a group like this one. */
  List<Transition> toTransitions() {
    List<Transition> all = new ArrayList<>();
    all.add(new Transition.Created(id, name, mode, List.copyOf(members.keySet())));
    all.add(new Transition.Joined(id, keys(Membership.JOINED)));
    all.add(new Transition.Refused(id, notJoined()));
    if (deleting) {
      all.add(new Transition.Deleting(id));
      all.add(new Transition.Released(id, keys(Membership.RELEASED)));
    }
    return all;
  }
}
