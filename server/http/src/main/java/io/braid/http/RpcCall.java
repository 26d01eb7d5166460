package io.braid.http;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.braid.core.failure.ErrorCode;
import io.netty.util.AttributeKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * One call over gRPC at an endpoint. Its answer counts until its client has taken it. A connection
 * with too many untaken bytes is refused further answers, before the work on them begins.
 */
public final class RpcCall {
  private static final AttributeKey<RpcCall> OF = AttributeKey.valueOf(RpcCall.class, "of");

  private final ArmeriaCall http;
  private final ClientWaits waits;
  private final Connection connection;
  private final Deque<ClientWaits.Wait> parts = new ArrayDeque<>();
  private boolean ended;

  RpcCall(ArmeriaCall http, ClientWaits waits) {
    this.http = http;
    this.waits = waits;
    this.connection = http.connection();
  }

  /** Returns the call that the calling thread begins; empty outside an endpoint. */
  public static Optional<RpcCall> current() {
    return Optional.ofNullable(ServiceRequestContext.currentOrNull())
        .flatMap(context -> Optional.ofNullable(context.attr(OF)));
  }

  void putInto(ServiceRequestContext context) {
    context.setAttr(OF, this);
  }

  /** Returns the request, for its headers and its client. */
  public HttpCall http() {
    return http;
  }

  /** A part of the work begins, which may take as long as a whole call. */
  public void begin() {
    http.begin();
  }

  /**
   * Refuses to go on with work whose client has gone, or that takes too long.
   *
   * @throws HttpRefusal 503 or 413
   */
  public void requireWanted() {
    http.requireWanted();
  }

  /**
   * Refuses to begin when the connection has too many untaken bytes.
   *
   * @throws HttpRefusal 429
   */
  public void requireRoom() {
    long others = waits.answerBytes(connection);
    if (others > waits.bounds().each()) {
      throw new HttpRefusal(
          429,
          "answers not taken",
          "Answers of "
              + others
              + " bytes have not been taken from this connection: read them first.");
    }
  }

  /** Returns whose call it is, for a fair order of the work. */
  public Object owner() {
    return connection;
  }

  /** Counts a part of an answer, until it is taken or the call ends. */
  public synchronized void givePart(long bytes) {
    if (parts.isEmpty()) {
      http.atEnd(this::endParts);
    }
    ClientWaits.Wait part = waits.answer(connection, bytes);
    if (ended) {
      part.end();
    } else {
      parts.add(part);
    }
  }

  /** All parts but the last one are on their way for sure. */
  public synchronized void endEarlierParts() {
    while (parts.size() > 1) {
      parts.remove().end();
    }
  }

  private synchronized void endParts() {
    ended = true;
    parts.forEach(ClientWaits.Wait::end);
    parts.clear();
  }

  /**
   * Counts an answer until it is taken.
   *
   * @throws HttpRefusal 413 when it is so large that its connection would be cut off at once
   */
  public void give(long bytes) {
    if (bytes > waits.bounds().answers()) {
      throw new HttpRefusal(
          413,
          ErrorCode.TOO_LONG.word(),
          "An answer of "
              + bytes
              + " bytes needs more memory than this server has: ask for less with one call.");
    }
    http.atEnd(waits.answer(connection, bytes)::end);
  }
}
