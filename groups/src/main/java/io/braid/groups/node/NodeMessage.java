package io.braid.groups.node;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.groups.protocol.Message;
import java.util.List;

/**
 * A message between two nodes, with additional data for the row.
 *
 * @param group the name of the group, for a J; else it may be empty
 * @param epoch in which the sender leads the group; a D frees no hold of a higher one. {@link
 *     #UNKNOWN} when the sender does not know the group: a D then frees no hold of an existing
 *     group
 */
record NodeMessage(String from, String to, Message message, String group, long epoch) {
  static final long UNKNOWN = 0;

  void encode(Encoder to) {
    to.text(from).text(this.to).text(group).varint(epoch).bytes(message.encode());
  }

  static NodeMessage decode(Decoder from) {
    String sender = from.text();
    String receiver = from.text();
    String group = from.text();
    long epoch = from.varint();
    return new NodeMessage(sender, receiver, Message.decode(from.bytes()), group, epoch);
  }

  int size() {
    Encoder to = new Encoder(256);
    encode(to);
    return to.finish().length();
  }

  /** The same in two halves, for a network that carries little at once. */
  List<NodeMessage> halves() {
    return List.of(with(half(true)), with(half(false)));
  }

  private NodeMessage with(Message other) {
    return new NodeMessage(from, to, other, group, epoch);
  }

  private Message half(boolean first) {
    if (message instanceof Message.Join join) {
      return new Message.Join(join.group(), half(join.keys(), first));
    } else if (message instanceof Message.JoinAck ack) {
      return new Message.JoinAck(
          ack.group(), half(ack.yielded(), first), half(ack.refused(), first));
    } else if (message instanceof Message.JoinAckAck ack) {
      return new Message.JoinAckAck(ack.group(), half(ack.yielded(), first));
    } else if (message instanceof Message.Delete delete) {
      return new Message.Delete(delete.group(), half(delete.keys(), first));
    }
    Message.DeleteAck ack = (Message.DeleteAck) message;
    return new Message.DeleteAck(ack.group(), half(ack.keys(), first));
  }

  private static <T> List<T> half(List<T> all, boolean first) {
    int middle = all.size() / 2;
    return first ? all.subList(0, middle) : all.subList(middle, all.size());
  }

  /** Whether there is anything to halve. */
  boolean isDivisible() {
    if (message instanceof Message.Join join) {
      return join.keys().size() > 1;
    } else if (message instanceof Message.JoinAck ack) {
      return ack.yielded().size() + ack.refused().size() > 1;
    } else if (message instanceof Message.JoinAckAck ack) {
      return ack.yielded().size() > 1;
    } else if (message instanceof Message.Delete delete) {
      return delete.keys().size() > 1;
    }
    return ((Message.DeleteAck) message).keys().size() > 1;
  }
}
