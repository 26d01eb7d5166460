package io.braid.store.hbase;

import java.time.Duration;

/**
 * How a client uses the cluster.
 *
 * @param namespace the namespace of HBase that holds Braid's tables: letters, digits, underscores
 * @param callTimeout how long one try of a call may take
 * @param patience how long a call is tried, and waited for, in all
 * @param gathers whether calls of several threads to one region share messages while others are out
 */
public record HBaseOptions(
    String namespace, Duration callTimeout, Duration patience, boolean gathers) {
  /**
   * The namespace {@code braid}, 10 s for a try and 30 s in all, with calls that share messages.
   */
  public static final HBaseOptions DEFAULT =
      new HBaseOptions("braid", Duration.ofSeconds(10), Duration.ofSeconds(30));

  public HBaseOptions {
    if (!namespace.matches("[A-Za-z0-9_]+")) {
      throw new IllegalArgumentException(
          "A namespace of HBase has letters, digits and underscores: '" + namespace + "'.");
    }
  }

  /** With calls that share messages. */
  public HBaseOptions(String namespace, Duration callTimeout, Duration patience) {
    this(namespace, callTimeout, patience, true);
  }

  public HBaseOptions withNamespace(String name) {
    return new HBaseOptions(name, callTimeout, patience, gathers);
  }

  /** The same, with a message for each call. */
  public HBaseOptions withoutGathering() {
    return new HBaseOptions(namespace, callTimeout, patience, false);
  }
}
