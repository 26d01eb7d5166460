package io.braid.serving.client;

import io.braid.core.runtime.Seams;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which nodes are worth asking first. One that failed is put behind the others for a while, twice
 * as long after each failure in a row; then a request tries it again. It is never left out wholly:
 * when all others fail too, it is asked.
 */
public final class FailureDetector {
  private static final long FIRST = Duration.ofMillis(200).toNanos();
  private static final long MOST = Duration.ofSeconds(20).toNanos();

  private final Seams seams;
  private final ConcurrentMap<Integer, Suspicion> suspicions = new ConcurrentHashMap<>();

  /** A node is suspected until {@code end}. */
  private record Suspicion(long end, long length) {}

  public FailureDetector(Seams seams) {
    this.seams = seams;
  }

  public boolean isAvailable(int node) {
    Suspicion suspicion = suspicions.get(node);
    return suspicion == null || seams.nanoTime() - suspicion.end() >= 0;
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
