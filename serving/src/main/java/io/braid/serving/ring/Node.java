package io.braid.serving.ring;

import org.apiguardian.api.API;

/**
 * A server of stores.
 *
 * @param id from 0 to 9999
 * @param zone nodes of one zone are close together: a data centre, a rack; from 0 to 999
 * @param address where it answers, as {@code host:port}; empty for a directory without a server
 */
@API(status = API.Status.EXPERIMENTAL)
public record Node(int id, int zone, String address) {
  public Node {
    if (id < 0 || id > 9999 || zone < 0 || zone > 999) {
      throw new IllegalArgumentException(
          "Node " + id + " in zone " + zone + ": nodes go from 0 to 9999, zones from 0 to 999.");
    }
  }
}
