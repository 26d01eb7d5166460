package io.braid.groups.node;

import java.time.Duration;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The options of a group node. Begin with {@link #named named}; the other methods change it.
 *
 * @param name the name for people and other nodes; kept over restarts
 * @param host where others reach it
 * @param port for clients and other nodes; 0 for any
 * @param clientPatience the time of silence after which a client counts as gone
 * @param clientGone the treatment of the groups that the client had open
 * @param messagePatience how long other nodes may take to answer, before a creation is given up
 * @param mostConnections of clients
 */
@API(status = API.Status.EXPERIMENTAL)
public record NodeOptions(
    String name,
    String host,
    int port,
    Duration clientPatience,
    ClientGone clientGone,
    Duration messagePatience,
    int mostConnections) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** The treatment of groups whose client has disappeared. */
  public enum ClientGone {
    /** They stay until they have been unused for as long as groups may be idle. */
    KEEP,
    /** They are deleted, if no other client has them open. */
    DELETE
  }

  public NodeOptions {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' is no name for a node: use up to 64 letters, digits, '.', '_' and '-'.");
    }
  }

  /**
   * On this machine alone, at any port; clients count as gone after 20 s, and their groups stay.
   *
   * @param name up to 64 letters, digits, '.', '_' and '-'
   */
  public static NodeOptions named(String name) {
    return new NodeOptions(
        name,
        "127.0.0.1",
        0,
        Duration.ofSeconds(20),
        ClientGone.KEEP,
        Duration.ofSeconds(15),
        2000);
  }

  /** At another host and port; 0 for any port. */
  public NodeOptions at(String newHost, int newPort) {
    return new NodeOptions(
        name, newHost, newPort, clientPatience, clientGone, messagePatience, mostConnections);
  }

  /** With another time for silent clients, and another fate of their groups. */
  public NodeOptions clients(Duration patience, ClientGone gone) {
    return new NodeOptions(name, host, port, patience, gone, messagePatience, mostConnections);
  }
}
