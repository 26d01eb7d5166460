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
  private static final int ANSWER_MILLIS = 60_000;

  private final String address;
  private final Socket socket;
  private final DataInputStream from;
  private final DataOutputStream to;

  TcpLine(String address, Trust trust) throws IOException {
    this.address = address;
    this.socket = trust.connect(address, CONNECT_MILLIS, ANSWER_MILLIS);
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
      return Frames.read(from);
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
