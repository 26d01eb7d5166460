package io.braid.simulation.workload;

/** One kind of work, done by many clients at once. */
public interface Workload {
  String name();

  /** Writes what has to be there before clients begin; nothing goes wrong meanwhile. */
  void prepare(Client client);

  /** Does one transaction, or whatever the client draws. */
  void step(Client client);

  /** Reads everything when all has come to rest, so that nothing lost goes unnoticed. */
  void audit(Client client);

  /** What was seen. */
  Journal journal();
}
