package io.braid.simulation;

import io.braid.percolator.context.PercolatorOptions;
import io.braid.simulation.cluster.SimProcess;
import java.time.Duration;

/** Opens transactions of Percolator. */
record PercolatorOpener(World world, Settings settings) implements Opener {
  @Override
  public Node open(SimProcess process) {
    return Node.open(world, process, settings.transactions(), settings.garbage());
  }

  @Override
  public Node visit(SimProcess process) {
    return Node.open(world, process, settings.transactions());
  }

  @Override
  public Node sweep(SimProcess process) {
    PercolatorOptions.Duties duties = new PercolatorOptions.Duties(1, Duration.ofSeconds(1), 100);
    return Node.open(world, process, settings.transactions().duties(duties));
  }
}
