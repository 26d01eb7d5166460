package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.groups.protocol.Messaging;
import org.apiguardian.api.API;

/**
 * Carries packets between nodes. Implementing classes must comply with the following:
 *
 * <ul>
 *   <li>An {@link Messaging#UNRELIABLE} transport may lose, repeat and reorder packets; it never
 *       changes one.
 *   <li>A {@link Messaging#RELIABLE} transport delivers each packet of a living node to another
 *       once, in order, however often connections break.
 *   <li>{@link #send send} does not wait for the network. Every length that is read is checked
 *       before memory is taken for it.
 *   <li>The receiver is called by one thread at a time for the packets of one sender.
 * </ul>
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface Transport extends AutoCloseable {
  /** Returns what may happen to packets. */
  Messaging messaging();

  /** Where others reach this; HOST:PORT. */
  String address();

  /** How long a packet may be. */
  int limit();

  /** Begins to deliver arriving packets. */
  void start(Receiver receiver);

  /** Sends a packet, as surely as {@link #messaging} says; does not wait for the network. */
  void send(String address, Bytes packet);

  /**
   * Takes packets that came as a request of another node.
   *
   * @param from the rest of the request
   */
  default void carried(Decoder from) {
    throw new IllegalArgumentException("Packets do not come as requests here.");
  }

  /** How many packets were refused because they were none of Braid's. */
  long refused();

  @Override
  void close();

  /** Receives the packets that arrive. */
  interface Receiver {
    /**
     * Takes a packet.
     *
     * @throws IllegalArgumentException when it is malformed; it counts as refused
     */
    void receive(Bytes packet);
  }
}
