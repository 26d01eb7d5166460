package io.braid.gateway;

import io.braid.core.runtime.Seams;
import io.braid.gateway.GatewayCore.Answer;
import io.braid.gateway.GatewayCore.Asked;
import io.braid.gateway.access.Caller;
import io.braid.gateway.access.Identity;
import io.braid.gateway.metrics.IncomingTrace;
import io.opentelemetry.context.Context;
import java.io.IOException;

/**
 * Lets calls in and notes them. What a process serves differs, a whole database or stores alone;
 * how its calls are answered does not.
 */
public interface Reception {
  Seams seams();

  /**
   * Who asks.
   *
   * @throws io.braid.http.HttpRefusal when that is nobody who is let in
   */
  Identity identity(Asked asked, Caller caller);

  /**
   * Refuses what is new to a process that is ending.
   *
   * @param begun whether what is asked for ends something that was begun
   */
  void requireServing(boolean begun);

  /** Answers, and notes what is to be noted of it. */
  <R> R noted(Asked asked, Identity identity, boolean changes, Answer<R> answer) throws IOException;

  /** The trace that a call of somebody known belongs to, if traces are sent. */
  default Context trace(IncomingTrace.Headers headers) {
    return Context.root();
  }

  /** Counts a call that was answered, with the status that HTTP has for how. */
  void measured(Asked asked, int status, long nanos);
}
