package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import org.apiguardian.api.API;

/**
 * Names a write that a node missed (section 3.1.4).
 *
 * @param node that missed it
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record Hint(int node, String store, Bytes key) {
  /** The key under which it is kept in a slop store. */
  Bytes slopKey() {
    return new Encoder().varint(node).text(store).raw(key).finish();
  }

  static Hint of(Bytes slopKey) {
    Decoder decoder = new Decoder(slopKey);
    return new Hint(decoder.count(Integer.MAX_VALUE), decoder.text(), decoder.rest());
  }
}
