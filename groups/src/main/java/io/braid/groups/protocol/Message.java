package io.braid.groups.protocol;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The messages of the protocol (figures 3 and 4). Each speaks for all keys of its group that one
 * node owns, so that a phase takes one message to each node however many keys there are.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public sealed interface Message {
  /** The group that it is about. */
  GroupId group();

  /** J: the leader asks for ownership. */
  record Join(GroupId group, List<Row> keys) implements Message {
    public Join {
      keys = List.copyOf(keys);
    }
  }

  /** JA: the follower has yielded some keys and cannot yield others. */
  record JoinAck(GroupId group, List<Yield> yielded, List<JoinRefusal> refused) implements Message {
    public JoinAck {
      yielded = List.copyOf(yielded);
      refused = List.copyOf(refused);
    }
  }

  /** JAA: the leader knows; the yield ids say of which yields. */
  record JoinAckAck(GroupId group, List<Yield> yielded) implements Message {
    public JoinAckAck {
      yielded = List.copyOf(yielded);
    }
  }

  /** D: the follower owns the keys again. */
  record Delete(GroupId group, List<Row> keys) implements Message {
    public Delete {
      keys = List.copyOf(keys);
    }
  }

  /** DA: the follower knows. */
  record DeleteAck(GroupId group, List<Row> keys) implements Message {
    public DeleteAck {
      keys = List.copyOf(keys);
    }
  }

  /** How it is written in the paper's figures. */
  default String sign() {
    if (this instanceof Join) {
      return "J";
    } else if (this instanceof JoinAck) {
      return "JA";
    } else if (this instanceof JoinAckAck) {
      return "JAA";
    } else if (this instanceof Delete) {
      return "D";
    }
    return "DA";
  }

  default Bytes encode() {
    Encoder to = new Encoder(128);
    if (this instanceof Join join) {
      join.group.encode(to.u8(1));
      Lists.encode(to, join.keys, (key, out) -> out.row(key));
    } else if (this instanceof JoinAck ack) {
      ack.group.encode(to.u8(2));
      Lists.encode(to, ack.yielded, Yield::encode);
      Lists.encode(to, ack.refused, JoinRefusal::encode);
    } else if (this instanceof JoinAckAck ack) {
      ack.group.encode(to.u8(3));
      Lists.encode(to, ack.yielded, Yield::encode);
    } else if (this instanceof Delete delete) {
      delete.group.encode(to.u8(4));
      Lists.encode(to, delete.keys, (key, out) -> out.row(key));
    } else if (this instanceof DeleteAck ack) {
      ack.group.encode(to.u8(5));
      Lists.encode(to, ack.keys, (key, out) -> out.row(key));
    }
    return to.finish();
  }

  /**
   * Reads the output of {@link #encode}.
   *
   * @throws IllegalArgumentException when the bytes are no message
   */
  static Message decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int code = from.u8();
    GroupId group = GroupId.decode(from);
    Message message =
        switch (code) {
          case 1 -> new Join(group, Lists.decode(from, Decoder::row));
          case 2 ->
              new JoinAck(
                  group,
                  Lists.decode(from, Yield::decode),
                  Lists.decode(from, JoinRefusal::decode));
          case 3 -> new JoinAckAck(group, Lists.decode(from, Yield::decode));
          case 4 -> new Delete(group, Lists.decode(from, Decoder::row));
          case 5 -> new DeleteAck(group, Lists.decode(from, Decoder::row));
          default -> throw new IllegalArgumentException("No message is of kind " + code + ".");
        };
    from.end();
    return message;
  }
}
