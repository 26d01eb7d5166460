package io.braid.batch.mapping;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;

/**
 * How lines of JSON are read that hold values: a value may be as long as the database lets it,
 * where Jackson takes 20 million characters by itself, less than base64 needs for 16 MiB.
 */
public final class JsonLines {
  /** Refuses a field that comes twice. */
  public static final JsonFactory READER =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private JsonLines() {}
}
