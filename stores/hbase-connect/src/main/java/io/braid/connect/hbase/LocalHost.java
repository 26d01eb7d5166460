package io.braid.connect.hbase;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this machine, for people to read. */
final class LocalHost {
  private LocalHost() {}

  static String name() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "a machine without a name";
    }
  }
}
