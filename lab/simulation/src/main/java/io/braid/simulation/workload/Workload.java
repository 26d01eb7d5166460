package io.braid.simulation.workload;

/** One kind of work, done by many clients at once. */
public interface Workload {
  String name();

  /** Writes what has to be there before clients begin; nothing goes wrong meanwhile. */
  void prepare(Client client);

  /** Does one transaction, or another step that the client draws. */
  void step(Client client);

  /** Reads everything when all has come to rest, so that any loss is noticed. */
  void audit(Client client);

  /** Returns the journal of everything that was seen. */
  Journal journal();
}
