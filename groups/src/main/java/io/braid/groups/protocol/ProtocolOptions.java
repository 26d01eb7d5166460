package io.braid.groups.protocol;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How a node speaks.
 *
 * @param retry how long it waits for an answer before it sends a message again; doubles each time
 * @param longestRetry the longest such wait
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record ProtocolOptions(Messaging messaging, Duration retry, Duration longestRetry) {
  private static final int MOST_DOUBLINGS = 16;

  public static ProtocolOptions defaults() {
    return new ProtocolOptions(Messaging.UNRELIABLE, Duration.ofMillis(100), Duration.ofSeconds(2));
  }

  boolean reliable() {
    return messaging == Messaging.RELIABLE;
  }

  long retryNanos(int tries) {
    long nanos = retry.toNanos() << Math.min(tries, MOST_DOUBLINGS);
    return nanos <= 0 ? longestRetry.toNanos() : Math.min(nanos, longestRetry.toNanos());
  }
}
