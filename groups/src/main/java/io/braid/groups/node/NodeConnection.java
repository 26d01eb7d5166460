package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Consumer;

/** A connection of a client to a group node; one request after another, for one thread. */
final class NodeConnection implements AutoCloseable {
  private final String address;
  private final ClientNetwork.Line line;
  private boolean broken;

  private NodeConnection(String address, ClientNetwork.Line line) {
    this.address = address;
    this.line = line;
  }

  /**
   * Connects.
   *
   * @throws NodeUnreachableException when no node answers there
   */
  static NodeConnection open(ClientNetwork network, String address) {
    try {
      return new NodeConnection(address, network.connect(address));
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
   * @throws NodeUnreachableException when there was no answer: the request may have been carried
   *     out
   * @throws RuntimeException the error with which the node refused
   */
  Decoder call(int kind, Consumer<Encoder> arguments) {
    Encoder request = new Encoder(128).u8(kind);
    arguments.accept(request);
    Bytes whole = request.finish();
    if (whole.length() > Frames.MOST) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "A request of %,d bytes is too long for a group node, which takes up to %,d: write"
                  + " less at once. Nothing was done.",
              whole.length(),
              Frames.MOST));
    }
    Bytes answer;
    try {
      answer = line.ask(whole);
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
    line.close();
  }
}
