package io.braid.batch.mapping;

import io.braid.batch.input.StrictText;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import java.util.Base64;
import java.util.Locale;
import org.apiguardian.api.API;

/**
 * Turns the text of a field into the bytes of a column, which {@link io.braid.core.data.Codecs} can
 * read.
 */
@API(status = API.Status.EXPERIMENTAL)
public enum FieldType {
  /** The text itself, in UTF-8. */
  TEXT {
    @Override
    public Bytes encode(String text) {
      return StrictText.bytes(text);
    }

    @Override
    public String decode(Bytes value) {
      return value.toUtf8();
    }
  },
  /** A whole number of 64 bits, in decimal. */
  INT64 {
    @Override
    public Bytes encode(String text) {
      return Codecs.int64().encode(Long.parseLong(text.strip()));
    }

    @Override
    public String decode(Bytes value) {
      return Codecs.int64().decode(value).toString();
    }
  },
  /** A number as Java writes a double. */
  FLOAT64 {
    @Override
    public Bytes encode(String text) {
      return Codecs.float64().encode(Double.parseDouble(text.strip()));
    }

    @Override
    public String decode(Bytes value) {
      return Codecs.float64().decode(value).toString();
    }
  },
  /** true, yes or 1; false, no or 0. */
  BOOL {
    @Override
    public Bytes encode(String text) {
      return switch (text.strip().toLowerCase(Locale.ROOT)) {
        case "true", "1", "yes" -> Codecs.bool().encode(true);
        case "false", "0", "no" -> Codecs.bool().encode(false);
        default -> throw new IllegalArgumentException("neither true nor false");
      };
    }

    @Override
    public String decode(Bytes value) {
      return Codecs.bool().decode(value).toString();
    }
  },
  /** Bytes of any kind, in base64. */
  BASE64 {
    @Override
    public Bytes encode(String text) {
      return Bytes.wrap(Base64.getDecoder().decode(text));
    }

    @Override
    public String decode(Bytes value) {
      return Base64.getEncoder().encodeToString(value.toArray());
    }
  };

  /**
   * @throws IllegalArgumentException when the text is of another type
   */
  public abstract Bytes encode(String text);

  /** The text that {@link #encode encode} would take; of the same bytes always the same. */
  public abstract String decode(Bytes value);

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
