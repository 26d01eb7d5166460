package io.braid.server.coordinator;

import io.braid.core.data.Bytes;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.TransactionManager.Verdict;
import io.braid.omid.manager.WriteSet;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A connection to the coordinator, one request after another; see {@link Frames}. */
final class CoordinatorConnection implements AutoCloseable {
  static final int BUFFER = 64 << 10;

  private static final int CONNECT_MILLIS = 2000;

  /** Longer than an oracle that cannot raise its bound makes callers wait. */
  private static final long ANSWER_NANOS = 7_000_000_000L;

  /**
   * After so long without an answer, the client checks whether there is another coordinator by now.
   */
  private static final int SLICE_MILLIS = 200;

  /** The arguments of a request. */
  interface Arguments {
    void writeTo(DataOutputStream to) throws IOException;
  }

  private final ReentrantLock turn = new ReentrantLock();
  private final String holder;
  private final Predicate<CoordinatorConnection> stillLeads;
  private final Socket socket = new Socket();
  private volatile boolean sending;
  private volatile long sendingSince;
  private final DataInputStream from;
  private final DataOutputStream to;

  /**
   * @param stillLeads whether the process at the other end is still the leader; asked when it is
   *     slow to answer, since a process that is suspended keeps its connections
   * @throws IOException when no process answers there, or another process does
   * @throws TimestampUnavailableException which is lasting, when either side has no certificate
   *     that the other trusts
   */
  CoordinatorConnection(
      LeaseRecord record, String token, Trust trust, Predicate<CoordinatorConnection> stillLeads)
      throws IOException {
    this.holder = record.holder();
    this.stillLeads = stillLeads;
    String[] address = record.address().split(" ", 2);
    int port = Integer.parseInt(address[1]);
    try {
      socket.connect(new InetSocketAddress(address[0], port), CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(CONNECT_MILLIS);
      // Closing the plain socket ends this one too, and does not wait for a thread that is sending.
      Socket heard = trust.call(socket, address[0], port);
      socket.setSoTimeout(SLICE_MILLIS);
      from = new DataInputStream(new BufferedInputStream(heard.getInputStream(), BUFFER));
      to = new DataOutputStream(new BufferedOutputStream(heard.getOutputStream(), BUFFER));
      to.writeLong(Frames.MAGIC);
      Frames.writeText(to, holder);
      Frames.writeText(to, token);
      to.flush();
      requireGreeted(record.address());
    } catch (SSLException e) {
      socket.close();
      throw refusal(record.address(), e);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * @param at the address of the coordinator
   * @param why the fault, or the remedy
   */
  private static TimestampUnavailableException notTrusted(
      String at, String why, @Nullable Throwable cause) {
    return TimestampUnavailableException.lasting(
        "The coordinator at " + at + " and this process do not trust each other: " + why, cause);
  }

  /**
   * Returns the exception to throw when TLS failed. A coordinator that ended meanwhile does not
   * count as untrusted.
   */
  private static IOException refusal(String at, SSLException e) {
    if (e.getCause() instanceof IOException) {
      return e;
    }
    throw notTrusted(
        at,
        e.getMessage()
            + ". Its certificate has to name that address, the authorities of each have to vouch"
            + " for the other's (cluster.tls-authorities), and all processes or none have TLS.",
        e);
  }

  private void requireGreeted(String at) throws IOException {
    try {
      int status = status();
      if (status == Frames.OTHER_RELEASE) {
        throw new IOException(
            "The coordinator at "
                + at
                + " is of another release of Braid: run the same one in all processes.");
      }
      if (status == Frames.TLS_ALERT) {
        throw notTrusted(
            at,
            "it lets in who shows a certificate. Set cluster.tls-certificate, cluster.tls-key and"
                + " cluster.tls-authorities.",
            null);
      }
      if (status != Frames.DONE) {
        throw new IOException("The process at " + at + " is not the coordinator.");
      }
    } catch (EOFException e) {
      // Older releases end the connection.
      throw new IOException(
          "The coordinator at " + at + " has ended, or is of another release of Braid.", e);
    }
  }

  /** Reads the first byte of a reply. The rest of the reply is on its way then. */
  private int status() throws IOException {
    long begin = System.nanoTime();
    while (true) {
      try {
        int status = from.readUnsignedByte();
        socket.setSoTimeout(CONNECT_MILLIS);
        return status;
      } catch (SocketTimeoutException e) {
        if (System.nanoTime() - begin > ANSWER_NANOS || !stillLeads.test(this)) {
          throw new IOException("The coordinator does not answer.", e);
        }
      }
    }
  }

  boolean isTo(LeaseRecord record) {
    return record.held() && holder.equals(record.holder());
  }

  boolean isClosed() {
    return socket.isClosed();
  }

  /**
   * Sends a request and waits for the reply.
   *
   * @throws TimestampUnavailableException when the coordinator refuses
   * @throws IOException when it does not answer. The connection is closed then, as after any other
   *     failure to read the reply to its end
   */
  long ask(int kind, Arguments arguments) throws IOException {
    return exchange(kind, arguments, DataInputStream::readLong);
  }

  /** The same as {@link #ask}, for requests and answers of any length. */
  Bytes exchange(int kind, Bytes request) throws IOException {
    Bytes[] answer = new Bytes[1];
    exchange(
        kind,
        to -> Frames.writeMessage(to, request),
        reply -> {
          answer[0] = Frames.readMessage(reply);
          return 0;
        });
    return answer[0];
  }

  /** The same as {@link #ask}, for commits: the arguments contain the answers afterwards. */
  void commit(CommitMessage message, List<WriteSet> batch, Verdict[] verdicts) throws IOException {
    message.request(batch);
    exchange(
        Frames.COMMIT,
        message::send,
        reply -> {
          message.receive(reply);
          message.answered(batch, verdicts);
          return 0;
        });
  }

  /** Reads the part of a reply that follows the status. */
  private interface Reply {
    long readFrom(DataInputStream from) throws IOException;
  }

  private long exchange(int kind, Arguments arguments, Reply reply) throws IOException {
    turn.lock();
    // An exchange that broke off has left bytes on their way that must not meet the next request.
    boolean whole = false;
    try {
      socket.setSoTimeout(SLICE_MILLIS);
      send(kind, arguments);
      int status = status();
      if (status == Frames.FAILED) {
        String why = Frames.readText(from);
        whole = true;
        throw new TimestampUnavailableException(why);
      }
      if (status != Frames.DONE) {
        throw new IOException("The process that was asked is not the coordinator.");
      }
      long answer = reply.readFrom(from);
      whole = true;
      return answer;
    } finally {
      if (!whole) {
        close();
      }
      turn.unlock();
    }
  }

  private void send(int kind, Arguments arguments) throws IOException {
    sendingSince = System.nanoTime();
    sending = true;
    try {
      to.write(kind);
      arguments.writeTo(to);
      to.flush();
    } finally {
      sending = false;
    }
  }

  /**
   * Returns whether a request has been on its way out for so long that the other end may be
   * suspended.
   */
  boolean isSlowToSend() {
    return sending && System.nanoTime() - sendingSince > SLICE_MILLIS * 1_000_000L;
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
