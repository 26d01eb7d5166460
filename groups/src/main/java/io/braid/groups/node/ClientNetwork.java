package io.braid.groups.node;

import io.braid.core.data.Bytes;
import java.io.IOException;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * How clients reach group nodes: a seam, so that a simulation can bring its own.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface ClientNetwork {
  /**
   * Connects to a node.
   *
   * @param address HOST:PORT
   * @throws IOException when no node answers there
   */
  Line connect(String address) throws IOException;

  /** A connection of a client: one request after another, for one thread. */
  interface Line extends AutoCloseable {
    /**
     * Sends a request and waits for its answer.
     *
     * @throws IOException when there was no answer: the request may have been carried out. The line
     *     is of no use any more
     */
    Bytes ask(Bytes request) throws IOException;

    /** Does not wait. */
    @Override
    void close();
  }

  /** Where clients of a node come in. */
  interface Server extends AutoCloseable {
    /** How clients reach it; HOST:PORT. */
    String address();

    /**
     * Lets clients in.
     *
     * @param sessions makes a session for each line, from its visitor
     */
    void open(Function<Roles.Visitor, ClientSession> sessions);

    /** Returns how many connections were turned away because of their visitor. */
    default long refused() {
      return 0;
    }

    @Override
    void close();
  }

  /** The work of a node for one line; for one thread at a time. */
  interface ClientSession {
    Bytes answer(Bytes request);

    /** The line has ended. */
    void end();
  }
}
