package io.braid.http;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a request waits for that asks other processes, which may ask back here. One of a kind waits
 * only for requests of kinds that come later, and for such as ask nobody.
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
   * Asks without keeping anybody from being served here meanwhile, if the calling thread answers a
   * request over HTTP.
   */
  public <T extends @Nullable Object, E extends Exception> T during(Question<T, E> question)
      throws E, IOException {
    Optional<Talks.Talk> talk = Talks.current();
    return talk.isPresent() ? talk.get().ask(this, question) : question.ask();
  }
}
