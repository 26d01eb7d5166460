package io.braid.batch.mapping;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import org.apiguardian.api.API;

/**
 * How lines of JSON with values are read: a value may be as long as the database allows. Jackson's
 * default limit is 20 million characters, less than base64 needs for 16 MiB.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
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
