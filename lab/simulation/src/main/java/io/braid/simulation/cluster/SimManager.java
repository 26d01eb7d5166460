package io.braid.simulation.cluster;

import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.ManagerClient;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import io.braid.simulation.schedule.SimScheduler;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The transaction manager as one process sees it: calls are lost, slow, and executed twice. */
final class SimManager implements ManagerClient.Requests {
  private static final int SLOW = 200;

  private final ManagerServer server;
  private final Network network;
  private final SimScheduler scheduler;
  private final SimProcess process;
  private final Faults faults;

  SimManager(
      ManagerServer server,
      Network network,
      SimScheduler scheduler,
      SimProcess process,
      Faults faults) {
    this.server = server;
    this.network = network;
    this.scheduler = scheduler;
    this.process = process;
    this.faults = faults;
  }

  /** A verdict and the write set that the verdict is about. */
  private record Decided(Verdict verdict, WriteSet writes) {}

  @Override
  public Verdict commit(WriteSet writes) {
    Decided decided =
        ask(
            "commit",
            manager -> {
              WriteSet copy = writes.copy();
              return new Decided(manager.commit(copy), copy);
            });
    writes.answered(decided.writes);
    return decided.verdict;
  }

  @Override
  public long fence(long table) {
    return ask("fence", manager -> manager.fence(table));
  }

  private <R> R ask(String call, ManagerServer.Question<R> question) {
    process.callBegins();
    AtomicReference<@Nullable R> answer = new AtomicReference<>();
    Exchange exchange = new Exchange(scheduler);
    exchange.expect();
    if (faults.strikes(Fault.RESENT)) {
      // Whichever copy comes first is answered; the other one is executed all the same.
      scheduler.after(latency(), () -> server.arrive(question, heard -> {}));
    }
    if (!faults.strikes(Fault.ORACLE_LOST)) {
      scheduler.after(
          latency(),
          () ->
              server.arrive(
                  question,
                  heard ->
                      scheduler.after(
                          latency(),
                          () -> {
                            answer.set(heard);
                            exchange.arrived();
                          })));
    }
    exchange.await(call, 2 * Network.TIMEOUT_NANOS);
    R heard = answer.get();
    if (heard == null) {
      throw new TimestampUnavailableException("The transaction manager did not answer in time.");
    }
    return heard;
  }

  private long latency() {
    return network.latency() * (faults.strikes(Fault.ORACLE_SLOW) ? SLOW : 1);
  }
}
