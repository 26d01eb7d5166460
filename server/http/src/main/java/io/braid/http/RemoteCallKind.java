package io.braid.http;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of requests that ask other processes and wait for the answers. The other processes may
 * ask back here. A request of one kind waits only for requests of later kinds, and for requests
 * that ask no other process.
 */
public enum RemoteCallKind {
  /** A client's request, for all nodes that it takes. */
  NODES,
  /** The part of one replica, for the node that has the same tuples while they move. */
  MIRROR;

  /** Asks, and gives the answer. */
  public interface RemoteCall<T extends @Nullable Object, E extends Exception> {
    T call() throws E, IOException;
  }

  /**
   * Asks in such a way that others can be served here meanwhile, if the calling thread answers a
   * request over HTTP.
   */
  public <T extends @Nullable Object, E extends Exception> T during(RemoteCall<T, E> call)
      throws E, IOException {
    Optional<Turns> current = Turns.current();
    return current.isPresent() ? current.get().ask(this, call) : call.call();
  }
}
