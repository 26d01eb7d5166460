package io.braid.gateway.access;

import io.braid.core.runtime.Seams;
import io.braid.http.HttpRefusal;
import io.braid.percolator.garbage.Rate;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Limits the number of requests of each identity. After a pause, an identity may make up for the
 * pause, for at most one second. Requests beyond the limit are refused; other identities are not
 * affected.
 */
public final class Pace {
  private static final double NANOS = 1e9;

  private final Seams seams;
  private volatile Rate each;
  private final ConcurrentMap<String, Bucket> buckets = new ConcurrentHashMap<>();

  /** The number of requests that an identity may still make now. Guarded by itself. */
  private static final class Bucket {
    private double left;
    private long filled;

    private Bucket(double left, long filled) {
      this.left = left;
      this.filled = filled;
    }

    private synchronized boolean take(long perSecond, long now) {
      left = Math.min((double) perSecond, left + (now - filled) / NANOS * perSecond);
      filled = now;
      if (left < 1) {
        return false;
      }
      left -= 1;
      return true;
    }
  }

  /**
   * @param each of identities that have no rate of their own
   */
  public Pace(Seams seams, Rate each) {
    this.seams = seams;
    this.each = each;
  }

  /** Sets another rate from now on, for identities that have no rate of their own. */
  public void each(Rate next) {
    each = next;
  }

  /**
   * Counts a request.
   *
   * @throws HttpRefusal when it is one too many
   */
  public void admit(Identity identity) {
    Rate rate = identity.allowance().requests().orElse(each);
    if (rate.kind() == Rate.Kind.UNLIMITED) {
      return;
    }
    long now = seams.nanoTime();
    Bucket bucket =
        buckets.computeIfAbsent(identity.name(), name -> new Bucket(rate.perSecond(), now));
    if (!bucket.take(rate.perSecond(), now)) {
      throw new HttpRefusal(
          429,
          "too many requests",
          "Identity " + identity.name() + " makes more than " + rate + " requests: wait.");
    }
  }
}
