package io.braid.testkit.workload;

import java.util.List;

/** One kind of work, done by many clients at once. Safe for many threads. */
public interface Workload {
  /** The kind of its histories: append, bank or scan. */
  String name();

  /** The tables it works in; it expects them empty. */
  List<WorkloadTable> tables();

  /** Writes what has to be there before clients begin. */
  void prepare(Client client);

  /**
   * Does one transaction, or other work that the client draws.
   *
   * @return whether it committed
   */
  boolean step(Client client);

  /** Reads everything that was ever written. */
  void audit(Client client);

  /** Lists of which some transactions read and append by the fast path of Omid's protocol. */
  static Workload fastAppend(int keys, int tablets) {
    return new AppendWorkload(keys, tablets, true);
  }

  /**
   * The workload of a name.
   *
   * @param name append, bank or scan
   * @param keys how many lists, accounts or members there are at a time
   * @param tablets how many tablets each table begins with
   */
  static Workload of(String name, int keys, int tablets) {
    if (keys < 1 || tablets < 1) {
      throw new IllegalArgumentException("A workload has at least one key and one tablet.");
    }
    return switch (name) {
      case "append" -> new AppendWorkload(keys, tablets, false);
      case "bank" -> new BankWorkload(Math.max(2, keys), tablets);
      case "scan" -> new ScanWorkload(keys, tablets);
      default ->
          throw new IllegalArgumentException(
              "There is no workload '" + name + "': use append, bank or scan.");
    };
  }
}
