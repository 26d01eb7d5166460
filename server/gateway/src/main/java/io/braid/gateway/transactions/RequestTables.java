package io.braid.gateway.transactions;

import io.braid.core.transaction.Protocol;
import java.util.Arrays;

/**
 * The tables that remember requests: one for each protocol, since a transaction writes tables of
 * one.
 */
public enum RequestTables {
  PERCOLATOR(Protocol.PERCOLATOR, "braid.requests"),
  OMID(Protocol.OMID, "braid.requests-omid");

  static final String FAMILY = "request";

  private final Protocol protocol;
  private final String table;

  RequestTables(Protocol protocol, String table) {
    this.protocol = protocol;
    this.table = table;
  }

  Protocol protocol() {
    return protocol;
  }

  String table() {
    return table;
  }

  static RequestTables of(Protocol protocol) {
    return protocol == Protocol.OMID ? OMID : PERCOLATOR;
  }

  /** Whether a table is one of them. */
  public static boolean isOne(String name) {
    return Arrays.stream(values()).anyMatch(each -> each.table.equals(name));
  }
}
