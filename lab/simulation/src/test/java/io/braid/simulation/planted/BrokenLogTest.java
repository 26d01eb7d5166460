package io.braid.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogBrokenException;
import io.braid.groups.rows.Reign;
import io.braid.simulation.Scenarios;
import io.braid.simulation.Simulation;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Faults 36 to 39: a node whose log breaks, in the middle of its work, holds nothing up. */
class BrokenLogTest {
  private static final int SEEDS = 4;
  private static final int COMMITS = 10;

  private int broken;

  /** The first log that has taken so many commits takes no more. */
  private final class BreakingLog extends ForwardingLog {
    private int forced;
    private boolean breaks;

    BreakingLog(GroupLog log) {
      super(log);
    }

    private void requireWhole() {
      if (breaks) {
        throw new LogBrokenException("The disk is full.", null);
      }
    }

    @Override
    public void force(Ticket ticket) {
      forced++;
      if (forced == COMMITS && broken == 0) {
        broken++;
        breaks = true;
      }
      requireWhole();
      super.force(ticket);
    }

    @Override
    public void fence(long group, Reign reign) {
      requireWhole();
      super.fence(group, reign);
    }

    @Override
    public boolean isBroken() {
      return breaks;
    }
  }

  @Test
  void othersTakeTheGroupsOfANodeOverWhoseLogIsBroken() {
    int broke = 0;
    for (int seed = 1; broke < SEEDS; seed++) {
      SimulationOptions options =
          SimulationOptions.of(Scenarios.GROUP_NODES, seed).duration(Duration.ofSeconds(10));
      broken = 0;
      SimulationReport report = Simulation.run(options, GroupAlterations.log(BreakingLog::new));
      // Where there is one node only, nobody can take over.
      if (!report.settings().contains("1 group nodes")) {
        assertThat(report.passed()).as(report.toText()).isTrue();
        broke += broken;
      }
    }
  }
}
