package io.braid.cli.data;

import io.braid.core.transaction.Protocol;

/** How protocols are written on the command line. */
public enum ProtocolName {
  percolator(Protocol.PERCOLATOR),
  omid(Protocol.OMID);

  public final Protocol protocol;

  ProtocolName(Protocol protocol) {
    this.protocol = protocol;
  }
}
