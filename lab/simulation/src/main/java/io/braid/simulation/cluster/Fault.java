package io.braid.simulation.cluster;

/** The faults, and the highest probability of each per occasion. */
public enum Fault {
  REFUSED(
      "refused",
      "turned away before anything happened, and the caller knows it",
      Occasion.REQUEST,
      0.02),
  REQUEST_LOST("request lost", "never arrived", Occasion.REQUEST, 0.01),
  REPLY_LOST("reply lost", "executed, but the answer never arrived", Occasion.REQUEST, 0.02),
  DELIVERED_LATE(
      "delivered late", "executed long after the caller had given up", Occasion.REQUEST, 0.02),
  RESENT("resent", "executed twice in short order", Occasion.REQUEST, 0.03),
  RESENT_LATE(
      "resent late", "executed again long after it had been answered", Occasion.REQUEST, 0.02),
  SLOW("slow", "took a hundred times as long as usual", Occasion.REQUEST, 0.02),
  CUT_OFF("cut off", "a process cannot reach the store for a while", Occasion.CALL, 0.0005),
  SCAN_BROKEN("scan broken", "a scan breaks off in the middle", Occasion.BATCH, 0.05),
  HINT_WRONG("hint wrong", "an old list of tablets, a wrong guess about rows", Occasion.HINT, 0.2),
  TABLET_SPLIT(
      "tablet split", "the tablet splits where the request wants to go", Occasion.REQUEST, 0.001),
  STORE_CRASHED(
      "store crashed",
      "the machine of the store dies; what was not synced is lost",
      Occasion.REQUEST,
      0.0002),
  PROCESS_CRASHED(
      "process crashed", "a process dies, at the call or in its middle", Occasion.CALL, 0.002),
  PROCESS_PAUSED(
      "process paused",
      "a process stands still, for longer than its locks live, and goes on",
      Occasion.CALL,
      0.001),
  SESSION_LOST("session lost", "the lock service takes it for dead", Occasion.PAUSE, 1),
  CLOCK_STEPPED(
      "clock stepped",
      "a wall clock steps, by milliseconds or by up to an hour",
      Occasion.CALL,
      0.001),
  ORACLE_RESTARTED(
      "oracle restarted", "its process dies and another one takes over", Occasion.ORACLE, 0.001),
  ORACLE_DEPOSED(
      "oracle deposed", "it stands still, is replaced, and wakes up", Occasion.ORACLE, 0.0005),
  ORACLE_LOST(
      "oracle call lost", "a request to the oracle, or its answer, is lost", Occasion.ORACLE, 0.01),
  ORACLE_SLOW(
      "oracle slow", "a call of the oracle takes two hundred times as long", Occasion.ORACLE, 0.02),
  BOUND_UNKNOWN(
      "bound unknown",
      "whether the bound of the timestamps was raised is not told",
      Occasion.RAISE,
      0.2);

  /** When a fault may strike. */
  private enum Occasion {
    REQUEST("request to the store"),
    CALL("call of a process"),
    BATCH("batch of a scan"),
    HINT("hint"),
    PAUSE("question about a process that stands still"),
    ORACLE("request to the oracle or the manager"),
    RAISE("raise of the bound");

    private final String text;

    Occasion(String text) {
      this.text = text;
    }
  }

  private final String text;
  private final String meaning;
  private final Occasion occasion;
  private final double worst;

  Fault(String text, String meaning, Occasion occasion, double worst) {
    this.text = text;
    this.meaning = meaning;
    this.occasion = occasion;
    this.worst = worst;
  }

  /** Returns the name in a report. */
  public String text() {
    return text;
  }

  /** Returns a description of the fault. */
  String meaning() {
    return meaning;
  }

  /** When it may happen. */
  String occasion() {
    return occasion.text;
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
