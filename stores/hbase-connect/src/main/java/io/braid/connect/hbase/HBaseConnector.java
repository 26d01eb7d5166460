package io.braid.connect.hbase;

import io.braid.BraidConfig;
import io.braid.Connector;
import io.braid.CoordinatorStatus;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.server.coordination.Member;
import io.braid.server.coordinator.Participant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Connects to a database in HBase, whose processes meet in the ZooKeeper that HBase uses. Found by
 * {@code Braid.connect}; programs do not name it.
 */
public final class HBaseConnector implements Connector {
  @Override
  public String engine() {
    return "hbase";
  }

  @Override
  public Connection connect(BraidConfig config) {
    HBaseMember member = HBaseMember.join(config);
    Participant participant = member.participant();
    return new Connection(
        member.store(),
        participant.oracle(),
        participant.manager(),
        participant.seams(),
        participant::close,
        () -> status(participant));
  }

  @Override
  public ExclusiveDatabase vacant(BraidConfig config) {
    return HBaseMember.vacant(config);
  }

  private static CoordinatorStatus status(Participant participant) {
    List<String> processes = participant.members().stream().map(Member::description).toList();
    boolean leader = participant.isCoordinator();
    try {
      Map<String, Long> figures = new TreeMap<>();
      participant
          .figures()
          .forEach((figure, value) -> figures.put(figure.name().toLowerCase(Locale.ROOT), value));
      return new CoordinatorStatus(leader, true, processes, figures);
    } catch (TimestampUnavailableException e) {
      return new CoordinatorStatus(leader, false, processes, Map.of());
    }
  }
}
