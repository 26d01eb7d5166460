package io.braid.serving.client;

import io.braid.core.runtime.Seams;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which nodes are worth asking first. One that failed is put behind the others for a while, twice
 * as long after each failure in a row; then a request tries it again. It is never left out wholly:
 * when all others fail too, it is asked; but after several failures by one request at a time, so
 * that a node that is slow or gone does not hold up all who come.
 */
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
   * Whether a node may be asked now; then {@link #asked asked} follows. If not, it is as good as
   * away: it failed several times in a row, and somebody else asks it at this moment.
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
