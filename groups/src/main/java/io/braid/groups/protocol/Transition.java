package io.braid.groups.protocol;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import java.util.List;
import org.apiguardian.api.API;

/**
 * A change of a node's state, logged before any message reports it (section 4.3). The state of a
 * node is the sum of its transitions.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public sealed interface Transition {

  /** The leader has been asked for a group. */
  record Created(GroupId group, String name, Mode mode, List<Row> members) implements Transition {
    public Created {
      members = List.copyOf(members);
    }
  }

  /** The leader owns these keys from now on. */
  record Joined(GroupId group, List<Row> keys) implements Transition {
    public Joined {
      keys = List.copyOf(keys);
    }
  }

  /** These keys will never join the group. */
  record Refused(GroupId group, List<JoinRefusal> keys) implements Transition {
    public Refused {
      keys = List.copyOf(keys);
    }
  }

  /** The leader owns no key of the group from now on; those that joined go back. */
  record Deleting(GroupId group) implements Transition {}

  /** The followers of these keys know that they own them again. */
  record Released(GroupId group, List<Row> keys) implements Transition {
    public Released {
      keys = List.copyOf(keys);
    }
  }

  /** The follower has yielded keys; the leader may know or not. */
  record Yielding(GroupId group, List<Yield> yields) implements Transition {
    public Yielding {
      yields = List.copyOf(yields);
    }
  }

  /** The follower knows that the leader knows. */
  record Yielded(GroupId group, List<Row> keys) implements Transition {
    public Yielded {
      keys = List.copyOf(keys);
    }
  }

  /** The follower owns these keys again. */
  record Regained(GroupId group, List<Row> keys) implements Transition {
    public Regained {
      keys = List.copyOf(keys);
    }
  }

  /**
   * The ids in use are not above these: a checkpoint keeps these numbers for groups that are gone.
   */
  record Counters(long group, long yield) implements Transition {}

  default Bytes encode() {
    Encoder to = new Encoder(128);
    if (this instanceof Created created) {
      created.group.encode(to.u8(1));
      to.text(created.name).u8(created.mode.ordinal());
      Lists.encode(to, created.members, (key, out) -> out.row(key));
    } else if (this instanceof Joined joined) {
      rows(joined.group, joined.keys, to.u8(2));
    } else if (this instanceof Refused refused) {
      refused.group.encode(to.u8(3));
      Lists.encode(to, refused.keys, JoinRefusal::encode);
    } else if (this instanceof Deleting deleting) {
      deleting.group.encode(to.u8(4));
    } else if (this instanceof Released released) {
      rows(released.group, released.keys, to.u8(5));
    } else if (this instanceof Yielding yielding) {
      yielding.group.encode(to.u8(6));
      Lists.encode(to, yielding.yields, Yield::encode);
    } else if (this instanceof Yielded yielded) {
      rows(yielded.group, yielded.keys, to.u8(7));
    } else if (this instanceof Regained regained) {
      rows(regained.group, regained.keys, to.u8(8));
    } else if (this instanceof Counters counters) {
      to.u8(9).varint(counters.group).varint(counters.yield);
    }
    return to.finish();
  }

  private static void rows(GroupId group, List<Row> keys, Encoder to) {
    group.encode(to);
    Lists.encode(to, keys, (key, out) -> out.row(key));
  }

  /**
   * Reads the output of {@link #encode}.
   *
   * @throws IllegalArgumentException when the bytes are no transition
   */
  static Transition decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int code = from.u8();
    if (code == 9) {
      return new Counters(from.varint(), from.varint());
    }
    GroupId group = GroupId.decode(from);
    return switch (code) {
      case 1 -> {
        String name = from.text();
        Mode mode = Mode.values()[from.count(Mode.values().length) % Mode.values().length];
        yield new Created(group, name, mode, Lists.decode(from, Decoder::row));
      }
      case 2 -> new Joined(group, Lists.decode(from, Decoder::row));
      case 3 -> new Refused(group, Lists.decode(from, JoinRefusal::decode));
      case 4 -> new Deleting(group);
      case 5 -> new Released(group, Lists.decode(from, Decoder::row));
      case 6 -> new Yielding(group, Lists.decode(from, Yield::decode));
      case 7 -> new Yielded(group, Lists.decode(from, Decoder::row));
      case 8 -> new Regained(group, Lists.decode(from, Decoder::row));
      default -> throw new IllegalArgumentException("No transition is of kind " + code + ".");
    };
  }
}
