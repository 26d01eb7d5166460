package io.braid.groups.node;

import io.braid.core.data.Bytes;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLException;

/** A line over TCP: frames, one request and one answer after another. */
final class TcpLine implements ClientNetwork.Line {
  private static final int CONNECT_MILLIS = 3000;

  /**
   * The silence after which a node counts as unreachable. A node that works on an answer sends
   * empty frames more often.
   */
  static final int SILENCE_MILLIS = 10_000;

  /** How many empty frames a node may send for one answer: for a minute. */
  private static final long MOST_EMPTY = 60_000 / PendingAnswers.EACH.toMillis();

  private final String address;
  private final Socket socket;
  private final DataInputStream from;
  private final DataOutputStream to;

  TcpLine(String address, Trust trust) throws IOException {
    this(address, trust, SILENCE_MILLIS);
  }

  /**
   * @param silenceMillis the silence after which the node counts as one that does not answer
   */
  TcpLine(String address, Trust trust, int silenceMillis) throws IOException {
    this.address = address;
    this.socket = trust.connect(address, CONNECT_MILLIS, silenceMillis);
    try {
      from = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      to = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      trust.present(address, from, to);
      to.writeLong(Wire.MAGIC);
    } catch (SSLException e) {
      socket.close();
      throw Trust.refusal(address, e);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public Bytes ask(Bytes request) throws IOException {
    try {
      Frames.write(to, request);
      Bytes answer = Frames.read(from);
      for (int empty = 1; answer.isEmpty() && empty <= MOST_EMPTY; empty++) {
        answer = Frames.read(from);
      }
      if (answer.isEmpty()) {
        throw new IOException("it has worked on an answer for a minute");
      }
      return answer;
    } catch (SSLException e) {
      // Whether its certificate is liked, a client learns with the first answer.
      throw Trust.refusal(address, e);
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
