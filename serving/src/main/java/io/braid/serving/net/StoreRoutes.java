package io.braid.serving.net;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.http.HttpCall;
import io.braid.http.HttpRefusal;
import io.braid.serving.client.ValuesTooLongException;
import java.io.IOException;
import java.util.Set;

/**
 * Answers the requests below {@code /stores}. The caller checks who may ask; {@link #changes
 * changes} says which requests change something.
 */
public final class StoreRoutes {
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");

  private final NodeService service;
  private final HttpReads reads;
  private final HttpChanges changes;

  public StoreRoutes(Seams seams, NodeService service) {
    this.service = service;
    NodeEndpoint endpoint = new NodeEndpoint(seams, service);
    this.reads = new HttpReads(service, new HttpKeys(service, endpoint));
    this.changes = new HttpChanges(service, endpoint);
  }

  /** Whether a request asks for a change. */
  public static boolean changes(HttpCall call) {
    return call.method().equals("POST") && !HttpReads.isRead(call);
  }

  /** Answers a request that may be answered. */
  public void answer(HttpCall call) throws IOException {
    call.set(Wire.TOPOLOGY, Long.toString(service.cluster().version()));
    if (!METHODS.contains(call.method())) {
      throw new HttpRefusal(
          405,
          "method",
          "There is no "
              + call.method()
              + " here: stores are read-only; build a new version and swap it in.");
    }
    HttpTransform.requireKnown(call);
    if (changes(call)) {
      String type = call.header("Content-Type");
      if (type == null || !type.startsWith("application/json")) {
        throw new HttpRefusal(415, "not json", "Changes are asked for with Content-Type JSON.");
      }
      changes.handle(call);
    } else {
      if (!call.method().equals("POST") && call.body().read() >= 0) {
        throw new HttpRefusal(
            400, "no body", "No body is taken here: what it says would be passed over.");
      }
      reads.handle(call);
    }
  }

  /** Returns the answer to a failure. Its status says whether trying again, or elsewhere, helps. */
  public static HttpRefusal refusal(RuntimeException failure) {
    if (failure instanceof BraidException known) {
      return HttpRefusal.of(known);
    }
    if (failure instanceof ValuesTooLongException) {
      return new HttpRefusal(413, ErrorCode.TOO_LONG.word(), String.valueOf(failure.getMessage()));
    }
    if (failure instanceof IllegalArgumentException invalid) {
      return HttpRefusal.badRequest(invalid);
    }
    return new HttpRefusal(500, ErrorCode.DEFECT.word(), String.valueOf(failure.getMessage()));
  }
}
