package io.braid.gateway;

import io.braid.core.runtime.Seams;
import io.braid.gateway.GatewayCore.Handler;
import io.braid.gateway.GatewayCore.RequestRecord;
import io.braid.gateway.access.Caller;
import io.braid.gateway.access.Identity;
import io.braid.gateway.metrics.IncomingTrace;
import io.opentelemetry.context.Context;
import java.io.IOException;

/**
 * Lets calls in and records them. Processes serve different things, either a whole database or only
 * stores, but answer calls in the same way.
 */
public interface CallAdmission {
  Seams seams();

  /**
   * Returns the identity of the caller.
   *
   * @throws io.braid.http.HttpRefusal when the caller is not let in
   */
  Identity identity(RequestRecord asked, Caller caller);

  /**
   * Refuses new work when the process is ending.
   *
   * @param begun whether the request belongs to work that was begun before
   */
  void requireServing(boolean begun);

  /** Answers, and records the call as needed. */
  <R> R noted(RequestRecord asked, Identity identity, boolean changes, Handler<R> answer)
      throws IOException;

  /** Returns the trace that a call of a known caller belongs to, if traces are sent. */
  default Context trace(IncomingTrace.Headers headers) {
    return Context.root();
  }

  /** Counts a call that was answered, with the HTTP status of the answer. */
  void measured(RequestRecord asked, int status, long nanos);
}
