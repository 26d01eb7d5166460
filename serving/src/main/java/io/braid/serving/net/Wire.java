package io.braid.serving.net;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.failure.ErrorCode;
import io.braid.http.HttpRefusal;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keys and values as they go between programs: a count, then each with its length. Lengths are
 * bounded before anything is allocated.
 */
final class Wire {
  static final String TYPE = "application/x-braid";
  static final String TOPOLOGY = "Braid-Topology";

  /** The version of the ring by which a node is asked as a replica. */
  static final String RING = "Braid-Ring";

  static final String VERSION = "Braid-Version";
  static final String COMPRESSION = "Braid-Compression";
  static final String PART = "Braid-Part";
  static final String SCHEMA = "Braid-Schema";

  /** Keys of one request. */
  static final int MOST_KEYS = 10_000;

  /** The longest body that is answered. */
  static final int LONGEST = 80 << 20;

  private Wire() {}

  static byte[] keys(List<Bytes> keys) {
    Encoder encoder = new Encoder().varint(keys.size());
    keys.forEach(encoder::bytes);
    return encoder.finish().toArray();
  }

  static List<Bytes> keys(byte[] body) {
    Decoder decoder = new Decoder(Bytes.wrap(body));
    int count = decoder.count(MOST_KEYS);
    List<Bytes> keys = new ArrayList<>(Math.min(count, body.length));
    for (int i = 0; i < count; i++) {
      keys.add(decoder.bytes());
    }
    decoder.end();
    return keys;
  }

  static byte[] values(List<Optional<Bytes>> values) {
    Encoder encoder = new Encoder().varint(values.size());
    for (Optional<Bytes> value : values) {
      encoder.bool(value.isPresent());
      value.ifPresent(encoder::bytes);
    }
    return encoder.finish().toArray();
  }

  static List<Optional<Bytes>> values(byte[] body, int expected) {
    Decoder decoder = new Decoder(Bytes.wrap(body));
    int count = decoder.count(MOST_KEYS);
    if (count != expected) {
      throw new IllegalArgumentException(count + " values for " + expected + " keys.");
    }
    List<Optional<Bytes>> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(decoder.bool() ? Optional.of(decoder.bytes()) : Optional.empty());
    }
    decoder.end();
    return values;
  }

  /** A body of bounded length. */
  static byte[] body(InputStream in, int limit) throws IOException {
    byte[] bytes = in.readNBytes(limit + 1);
    if (bytes.length > limit) {
      throw new HttpRefusal(
          413, ErrorCode.TOO_LONG.word(), "A body has at most " + limit + " bytes.");
    }
    return bytes;
  }
}
