package io.braid.simulation.cluster;

/** What can go wrong, and how often it may at most, for each occasion. */
public enum Fault {
  /** A request was turned away before anything happened, and the caller knows it. */
  REFUSED("refused", 0.02),
  /** A request never arrived. */
  REQUEST_LOST("request lost", 0.01),
  /** It was executed, the answer never arrived. */
  REPLY_LOST("reply lost", 0.02),
  /** It was executed long after the caller had given up. */
  DELIVERED_LATE("delivered late", 0.02),
  /** It was executed twice in short order. */
  RESENT("resent", 0.03),
  /** It was executed again long after it had been answered. */
  RESENT_LATE("resent late", 0.02),
  /** It took a hundred times as long as usual. */
  SLOW("slow", 0.02),
  /** A process could not reach the store for a while. */
  CUT_OFF("cut off", 0.0005),
  /** A scan broke off in the middle. */
  SCAN_BROKEN("scan broken", 0.05),
  /** The list of tablets was an old one, or a guess about rows was wrong. */
  HINT_WRONG("hint wrong", 0.2),
  TABLET_SPLIT("tablet split", 0.001),
  /** The machine of the store died; what was not synced is lost. */
  STORE_CRASHED("store crashed", 0.0002),
  PROCESS_CRASHED("process crashed", 0.002),
  /** A process stood still, for longer than its locks live, and went on. */
  PROCESS_PAUSED("process paused", 0.001),
  /** A process that stood still was taken for dead by the lock service. */
  SESSION_LOST("session lost", 1),
  CLOCK_STEPPED("clock stepped", 0.001),
  ORACLE_RESTARTED("oracle restarted", 0.001),
  /** The holder of the oracle stood still, was replaced, and woke up. */
  ORACLE_DEPOSED("oracle deposed", 0.0005),
  /** A request to the oracle, or its answer, was lost. */
  ORACLE_LOST("oracle call lost", 0.01),
  ORACLE_SLOW("oracle slow", 0.02),
  /** Whether the bound of the timestamps was raised was not told. */
  BOUND_UNKNOWN("bound unknown", 0.2);

  private final String text;
  private final double worst;

  Fault(String text, double worst) {
    this.text = text;
    this.worst = worst;
  }

  /** In the words of a report. */
  public String text() {
    return text;
  }

  /** The fault of a {@link #text}. */
  public static Fault named(String text) {
    for (Fault fault : values()) {
      if (fault.text.equals(text)) {
        return fault;
      }
    }
    throw new IllegalArgumentException("There is no fault '" + text + "'.");
  }

  /** The probability of a run that has much of it, for each occasion. */
  double worst() {
    return worst;
  }
}
