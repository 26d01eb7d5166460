package io.braid.simulation.cluster;

import io.braid.core.time.TimestampOracle;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.simulation.schedule.SimScheduler;

/** The oracle as one process sees it through the network. */
final class SimOracle implements TimestampOracle {
  private static final int SLOW = 200;

  private final OracleServer server;
  private final Network network;
  private final SimScheduler scheduler;
  private final SimProcess process;
  private final Faults faults;

  SimOracle(
      OracleServer server,
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

  @Override
  public long next(int count) {
    process.callBegins();
    long[] answer = new long[1];
    Exchange exchange = new Exchange(scheduler);
    exchange.expect();
    if (!faults.strikes(Fault.ORACLE_LOST)) {
      scheduler.after(
          latency(),
          () ->
              server.arrive(
                  count,
                  first ->
                      scheduler.after(
                          latency(),
                          () -> {
                            answer[0] = first;
                            exchange.arrived();
                          })));
    }
    exchange.await("oracle", 2 * Network.TIMEOUT_NANOS);
    if (answer[0] == 0) {
      throw new TimestampUnavailableException("The oracle did not answer in time.");
    }
    return answer[0];
  }

  private long latency() {
    return network.latency() * (faults.strikes(Fault.ORACLE_SLOW) ? SLOW : 1);
  }

  @Override
  public long lastIssued() {
    process.callBegins();
    Exchange exchange = new Exchange(scheduler);
    exchange.expect();
    scheduler.after(network.latency(), exchange::arrived);
    exchange.await("last issued", Network.TIMEOUT_NANOS);
    long last = server.lastIssued();
    if (last < 0) {
      throw new TimestampUnavailableException("The oracle did not answer.");
    }
    return last;
  }
}
