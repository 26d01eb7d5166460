package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;

/**
 * A group node, as it stands in the store.
 *
 * @param token its liveness token; another one after each start
 * @param address where clients reach it
 * @param messages where other nodes do
 * @param log how its log is described
 */
public record NodeInfo(String name, String token, String address, String messages, String log) {
  Bytes encode() {
    return new Encoder(128)
        .u8(1)
        .text(name)
        .text(token)
        .text(address)
        .text(messages)
        .text(log)
        .finish();
  }

  static NodeInfo decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int version = from.u8();
    if (version != 1) {
      throw new IllegalArgumentException(
          "A record of a group node has version " + version + ": a newer release wrote it.");
    }
    return read(from);
  }

  void write(Encoder to) {
    to.text(name).text(token).text(address).text(messages).text(log);
  }

  static NodeInfo read(Decoder from) {
    return new NodeInfo(from.text(), from.text(), from.text(), from.text(), from.text());
  }
}
