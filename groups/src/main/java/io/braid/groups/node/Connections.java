package io.braid.groups.node;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.store.TabletUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The connections of a client, kept for the next request; finds the node that is to be asked. */
final class Connections implements AutoCloseable {
  private static final Duration FRESH = Duration.ofSeconds(5);
  private static final int MOST_HOPS = 5;

  private final Seams seams;
  private final ClientNetwork network;
  private final List<String> addresses;
  private final Duration patience;
  private final Map<String, Deque<Idle>> idle = new HashMap<>();
  private boolean closed;

  private record Idle(NodeConnection connection, long since) {}

  /** A result, and the connection that it came by, which the caller gives back or closes. */
  record Answer(NodeConnection connection, Decoder result) {}

  Connections(Seams seams, ClientNetwork network, List<String> addresses, Duration patience) {
    this.seams = seams;
    this.network = network;
    this.addresses = List.copyOf(addresses);
    this.patience = patience;
  }

  Duration patience() {
    return patience;
  }

  Seams seams() {
    return seams;
  }

  /** A connection to a node; a kept one only if it cannot have grown stale. */
  NodeConnection borrow(String address) {
    synchronized (idle) {
      if (closed) {
        throw new IllegalStateException("This client is closed: connect again.");
      }
      Deque<Idle> kept = idle.getOrDefault(address, new ArrayDeque<>());
      for (Idle each = kept.pollLast(); each != null; each = kept.pollLast()) {
        if (seams.nanoTime() - each.since < FRESH.toNanos()) {
          return each.connection;
        }
        each.connection.close();
      }
    }
    return NodeConnection.open(network, address);
  }

  void giveBack(NodeConnection connection) {
    synchronized (idle) {
      if (connection.isBroken() || closed) {
        connection.close();
      } else {
        idle.computeIfAbsent(connection.address(), a -> new ArrayDeque<>())
            .addLast(new Idle(connection, seams.nanoTime()));
      }
    }
  }

  /**
   * Asks whichever node is the right one; asks again while none answers, until the patience is used
   * up.
   *
   * @param repeatable whether it may be asked again after an answer was lost
   */
  Answer ask(boolean repeatable, int kind, Consumer<Encoder> arguments) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(20), Duration.ofMillis(500));
    int first = addresses.size() == 1 ? 0 : seams.random().nextInt(addresses.size());
    for (int attempt = 0; ; attempt++) {
      String address = addresses.get((first + attempt) % addresses.size());
      boolean[] asked = new boolean[1];
      try {
        return follow(address, kind, arguments, asked);
      } catch (TabletUnavailableException e) {
        boolean lost = e instanceof NodeUnreachableException && asked[0];
        boolean late = backoff.elapsed().compareTo(patience) > 0;
        if ((lost && !repeatable) || late || !backoff.pause()) {
          throw e;
        }
      }
    }
  }

  private Answer follow(String first, int kind, Consumer<Encoder> arguments, boolean[] asked) {
    String address = first;
    for (int hop = 0; hop < MOST_HOPS; hop++) {
      asked[0] = false;
      NodeConnection connection = borrow(address);
      try {
        asked[0] = true;
        return new Answer(connection, connection.call(kind, arguments));
      } catch (ElsewhereException e) {
        giveBack(connection);
        address = e.address();
      } catch (RuntimeException e) {
        giveBack(connection);
        throw e;
      }
    }
    throw new TabletUnavailableException("The group nodes send each other's clients in a circle.");
  }

  /** Asks as above, for callers that need no connection afterwards. */
  Decoder result(boolean repeatable, int kind, Consumer<Encoder> arguments) {
    Answer answer = ask(repeatable, kind, arguments);
    giveBack(answer.connection);
    return answer.result;
  }

  @Override
  public void close() {
    synchronized (idle) {
      closed = true;
      idle.values().forEach(kept -> kept.forEach(each -> each.connection.close()));
      idle.clear();
    }
  }
}
