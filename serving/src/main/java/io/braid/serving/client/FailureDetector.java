package io.braid.serving.client;

import io.braid.core.runtime.Seams;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apiguardian.api.API;

/**
 * Which nodes are worth asking first. A node that failed is put behind the others for a while,
 * twice as long after each failure in a row; then a request tries it again. No node is left out
 * wholly: when all others fail too, it is asked. But after several failures only one request at a
 * time asks it, so that a slow or absent node does not hold up all callers.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class FailureDetector {
  private static final long FIRST = Duration.ofMillis(200).toNanos();
  private static final long SEVERAL = Duration.ofMillis(800).toNanos();
  private static final long MOST = Duration.ofSeconds(20).toNanos();

  private final Seams seams;
  private final ConcurrentMap<Integer, Suspicion> suspicions = new ConcurrentHashMap<>();
  private final Set<Integer> tried = ConcurrentHashMap.newKeySet();

  /** A node is suspected until {@code end}. */
  private record Suspicion(long end, long length) {}

  public FailureDetector(Seams seams) {
    this.seams = seams;
  }

  public boolean isAvailable(int node) {
    Suspicion suspicion = suspicions.get(node);
    return suspicion == null || seams.nanoTime() - suspicion.end() >= 0;
  }

  /**
   * Returns whether a node may be asked now. If so, the caller reports the end of the call by
   * {@link #asked asked}. If not, the node counts as down: it failed several times in a row, and
   * another caller is asking it at this moment.
   */
  public boolean mayAsk(int node) {
    Suspicion suspicion = suspicions.get(node);
    return suspicion == null || suspicion.length() < SEVERAL || tried.add(node);
  }

  /** The node has answered, or has not. */
  public void asked(int node) {
    tried.remove(node);
  }

  public void failed(int node) {
    long now = seams.nanoTime();
    suspicions.compute(
        node,
        (id, before) -> {
          if (before != null && now - before.end() < 0) {
            return before;
          }
          long length = before == null ? FIRST : Math.min(MOST, 2 * before.length());
          return new Suspicion(now + length, length);
        });
  }

  public void succeeded(int node) {
    suspicions.remove(node);
  }
}
