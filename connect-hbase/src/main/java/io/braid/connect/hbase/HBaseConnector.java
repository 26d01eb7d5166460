package io.braid.connect.hbase;

import io.braid.BraidConfig;
import io.braid.Connector;
import io.braid.server.coordinator.Participant;

/** Connects to a database in HBase, whose processes meet in the ZooKeeper that HBase uses. */
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
        participant::close);
  }
}
