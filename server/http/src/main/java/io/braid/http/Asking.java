package io.braid.http;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of requests that ask other processes and wait for the answers. The other processes may
 * ask back here. A request of one kind waits only for requests of later kinds, and for requests
 * that ask no other process.
 */
public enum Asking {
  /** A client's request, for all nodes that it takes. */
  NODES,
  /** The part of one replica, for the node that has the same tuples while they move. */
  MIRROR;

  /** Asks, and gives the answer. */
  public interface Question<T extends @Nullable Object, E extends Exception> {
    T ask() throws E, IOException;
  }

  /**
   * Asks in such a way that others can be served here meanwhile, if the calling thread answers a
   * request over HTTP.
   */
  public <T extends @Nullable Object, E extends Exception> T during(Question<T, E> question)
      throws E, IOException {
    Optional<Talks.Talk> talk = Talks.current();
    return talk.isPresent() ? talk.get().ask(this, question) : question.ask();
  }
}
