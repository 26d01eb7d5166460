package io.braid.core.data;

import java.nio.ByteBuffer;
import java.util.function.Function;
import org.apiguardian.api.API;

/**
 * The codecs that come with Braid. Stores do not compare values of a column, but compare those of
 * an index and of row keys, by their bytes. Each codec documents its order.
 */
@API(status = API.Status.STABLE)
public final class Codecs {
  private static final Codec<Bytes> BYTES = of(Function.identity(), Function.identity());
  private static final Codec<String> UTF8 = of(Bytes::of, Codecs::text);
  private static final Codec<Long> INT64 =
      of(Bytes::ofLong, bytes -> exactly(bytes, Long.BYTES, "an int64").getLong());
  private static final Codec<Double> FLOAT64 =
      of(
          value -> Bytes.ofLong(Double.doubleToLongBits(value)),
          bytes -> exactly(bytes, Double.BYTES, "a float64").getDouble());
  private static final Codec<Boolean> BOOL =
      of(value -> Bytes.ofInts(value ? 1 : 0), bytes -> exactly(bytes, 1, "a boolean").get() != 0);

  private Codecs() {}

  /** Bytes as they are. */
  public static Codec<Bytes> bytes() {
    return BYTES;
  }

  /**
   * Returns the codec of text in UTF-8, which the command line and the server read and write.
   * Refuses bytes that are not UTF-8, and text with half of a surrogate pair, which has no UTF-8
   * form.
   */
  public static Codec<String> utf8() {
    return UTF8;
  }

  /**
   * Eight bytes, big-endian; other lengths are refused. Sorted as unsigned numbers are: negative
   * ones come after all others.
   */
  public static Codec<Long> int64() {
    return INT64;
  }

  /**
   * IEEE 754 double, eight bytes, big-endian; other lengths are refused. Positive ones are sorted
   * by their bytes as numbers are; negative ones come after them, the lowest last.
   */
  public static Codec<Double> float64() {
    return FLOAT64;
  }

  /** One byte: 1 for true, 0 for false; any but 0 is read as true, other lengths are refused. */
  public static Codec<Boolean> bool() {
    return BOOL;
  }

  /**
   * Makes a codec of two functions, which have to comply with the contract of {@link Codec}.
   *
   * <pre>{@code
   * Codec<Instant> instants = Codecs.of(
   *     time -> Bytes.of(time.toString()), bytes -> Instant.parse(bytes.toUtf8()));
   * }</pre>
   */
  public static <T> Codec<T> of(Function<T, Bytes> encode, Function<Bytes, T> decode) {
    return new Codec<>() {
      @Override
      public Bytes encode(T value) {
        return encode.apply(value);
      }

      @Override
      public T decode(Bytes bytes) {
        return decode.apply(bytes);
      }
    };
  }

  private static String text(Bytes bytes) {
    String text = bytes.toUtf8();
    // Bytes that are no UTF-8 become this character; it may also have been written.
    if (text.indexOf('\uFFFD') >= 0 && !Bytes.of(text).equals(bytes)) {
      throw new IllegalArgumentException(
          "The value, " + bytes.length() + " bytes long, is no text in UTF-8.");
    }
    return text;
  }

  private static ByteBuffer exactly(Bytes bytes, int length, String what) {
    if (bytes.length() != length) {
      throw new IllegalArgumentException(
          "The value is " + bytes.length() + " bytes long; " + what + " has " + length + ".");
    }
    return bytes.toBuffer();
  }
}
