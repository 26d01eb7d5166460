package io.braid.groups.node;

import io.braid.core.data.Bytes;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/** A line over TCP: frames, one request and one answer after another. */
final class TcpLine implements ClientNetwork.Line {
  private static final int CONNECT_MILLIS = 3000;
  private static final int ANSWER_MILLIS = 60_000;

  private final Socket socket = new Socket();
  private final DataInputStream from;
  private final DataOutputStream to;

  TcpLine(String address) throws IOException {
    try {
      socket.connect(Addresses.parse(address), CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(ANSWER_MILLIS);
      from = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      to = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      to.writeLong(Wire.MAGIC);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public Bytes ask(Bytes request) throws IOException {
    Frames.write(to, request);
    return Frames.read(from);
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
