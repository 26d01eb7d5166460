package io.braid.server.coordinator;

import io.braid.core.time.TimestampUnavailableException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.locks.ReentrantLock;

/** A connection to the coordinator, one request after another; see {@link Frames}. */
final class CoordinatorConnection implements AutoCloseable {
  private static final int CONNECT_MILLIS = 2000;

  /** Longer than an oracle that cannot raise its bound makes callers wait. */
  private static final int ANSWER_MILLIS = 7000;

  /** The arguments of a request. */
  interface Arguments {
    void writeTo(DataOutputStream to) throws IOException;
  }

  private final ReentrantLock turn = new ReentrantLock();
  private final String holder;
  private final Socket socket = new Socket();
  private final DataInputStream from;
  private final DataOutputStream to;

  /**
   * @throws IOException when nobody answers there, or somebody else does
   */
  CoordinatorConnection(LeaseRecord record, String token) throws IOException {
    holder = record.holder();
    String[] address = record.address().split(" ", 2);
    try {
      socket.connect(
          new InetSocketAddress(address[0], Integer.parseInt(address[1])), CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(ANSWER_MILLIS);
      from = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      to = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      to.writeLong(Frames.MAGIC);
      Frames.writeText(to, holder);
      Frames.writeText(to, token);
      to.flush();
      if (from.readUnsignedByte() != Frames.DONE) {
        throw new IOException("The process at " + record.address() + " is not the coordinator.");
      }
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  boolean isTo(LeaseRecord record) {
    return !socket.isClosed() && holder.equals(record.holder());
  }

  boolean isClosed() {
    return socket.isClosed();
  }

  /**
   * Sends a request and waits for the reply.
   *
   * @throws TimestampUnavailableException when the coordinator refuses
   * @throws IOException when it does not answer; then the connection is closed
   */
  long ask(int kind, Arguments arguments) throws IOException {
    turn.lock();
    try {
      to.write(kind);
      arguments.writeTo(to);
      to.flush();
      int status = from.readUnsignedByte();
      return switch (status) {
        case Frames.DONE -> from.readLong();
        case Frames.FAILED -> throw new TimestampUnavailableException(Frames.readText(from));
        default -> throw new IOException("The process that was asked is not the coordinator.");
      };
    } catch (IOException e) {
      socket.close();
      throw e;
    } finally {
      turn.unlock();
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is left to be done with it.
    }
  }
}
