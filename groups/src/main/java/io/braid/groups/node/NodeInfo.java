package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import org.apiguardian.api.API;

/**
 * The entry of a group node in the store.
 *
 * @param token its liveness token; another one after each start
 * @param address where clients reach it
 * @param messages where other nodes do
 * @param log how its log is described
 * @param network how messages between nodes travel; empty if its record is of a release that did
 *     not write it down
 */
@API(status = API.Status.EXPERIMENTAL)
public record NodeInfo(
    String name, String token, String address, String messages, String log, String network) {
  private static final int WITHOUT_NETWORK = 1;
  private static final int VERSION = 2;

  Bytes encode() {
    Encoder to = new Encoder(128).u8(VERSION);
    write(to);
    return to.finish();
  }

  static NodeInfo decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int version = from.u8();
    return switch (version) {
      case WITHOUT_NETWORK ->
          new NodeInfo(from.text(), from.text(), from.text(), from.text(), from.text(), "");
      case VERSION -> read(from);
      default ->
          throw new IllegalArgumentException(
              "A record of a group node has version " + version + ": a newer release wrote it.");
    };
  }

  void write(Encoder to) {
    to.text(name).text(token).text(address).text(messages).text(log).text(network);
  }

  static NodeInfo read(Decoder from) {
    return new NodeInfo(
        from.text(), from.text(), from.text(), from.text(), from.text(), from.text());
  }

  /** Whether the two are known to send each other messages that neither can read. */
  boolean isDeafTo(NodeInfo other) {
    return !network.isEmpty() && !other.network.isEmpty() && !network.equals(other.network);
  }
}
