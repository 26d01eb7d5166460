package io.braid.simulation;

import io.braid.core.store.TabletUnavailableException;
import io.braid.omid.OmidOptions;
import io.braid.omid.OmidTransactions;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.cluster.Tampering;
import java.time.Duration;

/** Opens transactions of Omid. */
record OmidOpener(World world, OmidSettings settings) implements Opener {
  private static final Duration PAUSE = Duration.ofMillis(100);

  @Override
  public Node open(SimProcess process) {
    return open(process, settings.options());
  }

  @Override
  public Node visit(SimProcess process) {
    return open(process, settings.quiet());
  }

  @Override
  public Node sweep(SimProcess process) {
    return open(process, settings.quiet());
  }

  private Node open(SimProcess process, OmidOptions options) {
    Tampering.Surroundings honest =
        new Tampering.Surroundings(world.cluster().store(process), world.cluster().oracle(process));
    Tampering.Surroundings used = world.tampering().tamper(honest);
    while (true) {
      try {
        return new Node(
            process,
            used.store(),
            used.oracle(),
            new OmidTransactions(
                used.store(),
                world.cluster().manager(process, used.oracle()),
                used.oracle(),
                process.seams(),
                options));
      } catch (TabletUnavailableException e) {
        process.seams().sleep(PAUSE);
      }
    }
  }
}
