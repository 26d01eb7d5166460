package io.braid.serving.net;

import com.sun.net.httpserver.HttpExchange;
import io.braid.core.runtime.Seams;
import io.braid.http.HttpRefusal;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.chunk.CorruptChunkException;
import io.braid.serving.client.NoSuchStoreException;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.client.ValuesTooLongException;
import io.braid.serving.client.VersionGoneException;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.fetch.FetchFailedException;
import io.braid.serving.node.NotHeldException;
import io.braid.serving.node.NothingLiveException;
import io.braid.serving.node.VersionRefusedException;
import io.braid.serving.writable.ObsoleteVersionException;
import io.braid.serving.writable.PutOutcomeUnknownException;
import io.braid.serving.writable.ReplicaRefillingException;
import io.braid.serving.writable.SiblingsException;
import io.braid.serving.writable.imports.ImportBusyException;
import io.braid.serving.writable.imports.ImportRefusedException;
import io.braid.serving.writable.imports.WritesRefusedException;
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
    NodeDoor door = new NodeDoor(seams, service);
    this.reads = new HttpReads(service, new HttpKeys(service, door));
    this.changes = new HttpChanges(service, door);
  }

  /** Whether a request asks for a change. */
  public static boolean changes(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("POST") && !HttpReads.isRead(exchange);
  }

  /** Answers a request that may be answered. */
  public void answer(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set(Wire.TOPOLOGY, Long.toString(service.cluster().version()));
    if (!METHODS.contains(exchange.getRequestMethod())) {
      throw new HttpRefusal(
          405,
          "method",
          "There is no "
              + exchange.getRequestMethod()
              + " here: stores are read-only; build a new version and swap it in.");
    }
    HttpTransform.requireKnown(exchange);
    if (changes(exchange)) {
      String type = exchange.getRequestHeaders().getFirst("Content-Type");
      if (type == null || !type.startsWith("application/json")) {
        throw new HttpRefusal(415, "not json", "Changes are asked for with Content-Type JSON.");
      }
      changes.handle(exchange);
    } else {
      reads.handle(exchange);
    }
  }

  /** Returns the answer to a failure. Its status says whether trying again, or elsewhere, helps. */
  public static HttpRefusal refusal(RuntimeException failure) {
    return new HttpRefusal(
        status(failure),
        failure.getClass().getSimpleName().replace("Exception", ""),
        String.valueOf(failure.getMessage()));
  }

  private static int status(RuntimeException failure) {
    if (failure instanceof ValuesTooLongException) {
      return 413;
    }
    if (failure instanceof IllegalArgumentException) {
      return 400;
    }
    if (failure instanceof UnknownStoreException || failure instanceof NoSuchStoreException) {
      return 404;
    }
    if (failure instanceof ObsoleteVersionException
        || failure instanceof SiblingsException
        || failure instanceof ImportRefusedException) {
      return 409;
    }
    if (failure instanceof WritesRefusedException) {
      return 423;
    }
    if (failure instanceof ImportBusyException || failure instanceof ReplicaRefillingException) {
      return 503;
    }
    if (failure instanceof PutOutcomeUnknownException) {
      return 504;
    }
    if (failure instanceof VersionGoneException) {
      return 410;
    }
    if (failure instanceof StoreUnavailableException || failure instanceof StoreBehindException) {
      return 503;
    }
    if (failure instanceof NotHeldException || failure instanceof WrongNodeException) {
      return 421;
    }
    if (failure instanceof VersionRefusedException || failure instanceof BadManifestException) {
      return 409;
    }
    if (failure instanceof NothingLiveException || failure instanceof FetchFailedException) {
      return 503;
    }
    return failure instanceof CorruptChunkException ? 502 : 500;
  }
}
