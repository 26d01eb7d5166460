package io.braid.simulation.planted;

import io.braid.core.runtime.Seams;
import io.braid.core.store.Durability;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.leader.GroupLeader;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.HadoopGroupLog;
import io.braid.groups.log.LogEntry;
import io.braid.simulation.cluster.Tampering;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;

/**
 * Group nodes of a simulation log in a folder that all of them reach, not in the store. A node that
 * finds its log sealed is ended and started again, as its operators do.
 */
final class SharedLog implements Tampering {
  private static final Path LOGS = new Path("/logs");
  private static final int LANES = 2;
  private static final long SEGMENT_BYTES = 2000;

  private SharedFolder folder = new SharedFolder();
  private int takeovers;

  /** How often a node has found commits of another in the folder. */
  int takeovers() {
    return takeovers;
  }

  /** A new folder, for the next run. */
  void clear() {
    folder = new SharedFolder();
  }

  @Override
  public Surroundings tamper(Surroundings honest) {
    return honest;
  }

  @Override
  public boolean restartsBrokenNodes() {
    return true;
  }

  @Override
  public GroupLeader.Base groups(GroupLeader.Base honest) {
    return new GroupLeader.Base(
        honest.store(),
        honest.oracle(),
        honest.transactions(),
        honest.seams(),
        open(honest, honest.seams()),
        honest.context());
  }

  private GroupLog open(GroupLeader.Base base, Seams seams) {
    try {
      GroupLog log =
          HadoopGroupLog.open(
              base.store(),
              folder.view(seams),
              LOGS,
              LANES,
              Durability.SYNCED,
              SEGMENT_BYTES,
              seams);
      return new ForwardingLog(log) {
        @Override
        public List<LogEntry> read(long group, long after) {
          List<LogEntry> found = super.read(group, after);
          takeovers += found.isEmpty() ? 0 : 1;
          return found;
        }
      };
    } catch (IOException e) {
      throw new TabletUnavailableException("The folder of the logs does not answer: " + e);
    }
  }
}
