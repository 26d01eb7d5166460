package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.function.Consumer;

/** A connection of a client to a group node; one request after another, for one thread. */
final class NodeConnection implements AutoCloseable {
  private static final int CONNECT_MILLIS = 3000;
  private static final int ANSWER_MILLIS = 60_000;

  private final String address;
  private final Socket socket;
  private final DataInputStream from;
  private final DataOutputStream to;
  private boolean broken;

  private NodeConnection(String address) throws IOException {
    this.address = address;
    this.socket = new Socket();
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

  /**
   * Connects.
   *
   * @throws NodeUnreachableException when nobody answers there
   */
  static NodeConnection open(String address) {
    try {
      return new NodeConnection(address);
    } catch (IOException e) {
      throw new NodeUnreachableException(address, e);
    }
  }

  String address() {
    return address;
  }

  boolean isBroken() {
    return broken;
  }

  /**
   * Asks, and waits for the answer.
   *
   * @return the result
   * @throws ElsewhereException when another node is to be asked
   * @throws NodeUnreachableException when there was no answer: what was asked may have been done
   * @throws RuntimeException what the node refused with
   */
  Decoder call(int kind, Consumer<Encoder> arguments) {
    Encoder request = new Encoder(128).u8(kind);
    arguments.accept(request);
    Bytes answer;
    try {
      Frames.write(to, request.finish());
      answer = Frames.read(from);
    } catch (IOException e) {
      close();
      throw new NodeUnreachableException(address, e);
    }
    Decoder result = new Decoder(answer);
    int status = result.u8();
    if (status == Wire.DONE) {
      return result;
    }
    if (status == Wire.ELSEWHERE) {
      throw new ElsewhereException(result.text());
    }
    throw Wire.failure(status, result);
  }

  @Override
  public void close() {
    broken = true;
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing is left to be done with it.
    }
  }
}
