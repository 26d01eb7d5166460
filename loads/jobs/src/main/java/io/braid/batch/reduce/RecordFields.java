package io.braid.batch.reduce;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.LinkedHashMap;
import java.util.Map;

/** The fields of a record as bytes. */
final class RecordFields {
  private static final int MOST = 1 << 20;

  private RecordFields() {}

  static Bytes encode(Map<String, String> fields) {
    Encoder to = new Encoder(64);
    to.varint(fields.size());
    fields.forEach((field, value) -> to.text(field).text(value));
    return to.finish();
  }

  static Map<String, String> decode(Bytes bytes) {
    Decoder from = new Decoder(bytes);
    int count = from.count(MOST);
    Map<String, String> fields = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      fields.put(from.text(), from.text());
    }
    return fields;
  }
}
