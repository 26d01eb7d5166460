package io.braid.core.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.Checksum;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sequence of bytes. Sequences are ordered as unsigned bytes from left to right, as
 * every store orders rows and qualifiers. Keys, qualifiers and values consist of bytes; {@link
 * Codecs} convert other types. May be a view of a larger array: {@link #slice slice} copies
 * nothing.
 */
@API(status = API.Status.STABLE)
public final class Bytes implements Comparable<Bytes> {
  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0], 0, 0);

  private static final byte[] DIGITS = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHEST = 0x8080808080808080L;

  private final byte[] array;
  private final int offset;
  private final int length;
  private int hash;

  private Bytes(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  /**
   * Returns the UTF-8 form of {@code text}.
   *
   * @throws IllegalArgumentException when the text has no such form: it contains half of a
   *     surrogate pair
   */
  public static Bytes of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    // Text without a UTF-8 form becomes a question mark: results without one need no second look.
    for (byte each : bytes) {
      if (each == '?') {
        requireWholePairs(text);
        break;
      }
    }
    return wrap(bytes);
  }

  /**
   * Returns the UTF-8 form of a text for people. Question marks replace the parts that have none.
   */
  public static Bytes ofAnyText(String text) {
    return wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void requireWholePairs(String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (!Character.isSurrogate(each)) {
        continue;
      }
      if (Character.isLowSurrogate(each)
          || i + 1 == text.length()
          || !Character.isLowSurrogate(text.charAt(i + 1))) {
        throw new IllegalArgumentException(
            "Character "
                + i
                + " (counted from 0) of a text is half of a surrogate pair, \\u"
                + Integer.toHexString(each)
                + ": it has no form in UTF-8.");
      }
      i++;
    }
  }

  /** One byte for each of {@code values}, of which the low eight bits count. */
  public static Bytes ofInts(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return wrap(bytes);
  }

  /** Eight bytes, big-endian; sorts as the unsigned number does. */
  public static Bytes ofLong(long value) {
    return wrap(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  /** Takes the array over without a copy: the caller must never change it afterwards. */
  public static Bytes wrap(byte[] array) {
    return array.length == 0 ? EMPTY : new Bytes(array, 0, array.length);
  }

  /**
   * As {@link #wrap(byte[])}, for {@code length} bytes from {@code offset}.
   *
   * @throws IndexOutOfBoundsException when they do not lie in the array
   */
  public static Bytes wrap(byte[] array, int offset, int length) {
    if (offset < 0 || length < 0 || offset > array.length - length) {
      throw new IndexOutOfBoundsException(
          "offset " + offset + ", length " + length + " in an array of " + array.length);
    }
    return length == 0 ? EMPTY : new Bytes(array, offset, length);
  }

  /** Copies the array, which the caller may change afterwards. */
  public static Bytes copyOf(byte[] array) {
    return wrap(array.clone());
  }

  /** How many bytes there are. */
  public int length() {
    return length;
  }

  public boolean isEmpty() {
    return length == 0;
  }

  /**
   * One byte, signed as Java has it.
   *
   * @throws IndexOutOfBoundsException when there is none at {@code index}
   */
  public byte at(int index) {
    if (index < 0 || index >= length) {
      throw new IndexOutOfBoundsException("index " + index + " of " + length + " bytes");
    }
    return array[offset + index];
  }

  /**
   * Returns the index of the first {@code wanted} at or after {@code from}; -1 when there is none.
   *
   * @param from not negative
   */
  public int indexOf(byte wanted, int from) {
    int at = offset + from;
    int end = offset + length;
    // Eight at a time: a byte of the difference that is zero is the only one that borrows first.
    long pattern = (wanted & 0xFF) * ONES;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      long difference = (long) EIGHT.get(array, at) ^ pattern;
      long found = (difference - ONES) & ~difference & HIGHEST;
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3) - offset;
      }
    }
    for (; at < end; at++) {
      if (array[at] == wanted) {
        return at - offset;
      }
    }
    return -1;
  }

  /**
   * The big-endian long at {@code index}.
   *
   * @throws IndexOutOfBoundsException when fewer than eight bytes are there
   */
  public long longAt(int index) {
    if (index < 0 || index > length - Long.BYTES) {
      throw new IndexOutOfBoundsException("a long at " + index + " of " + length + " bytes");
    }
    return ByteBuffer.wrap(array, offset + index, Long.BYTES).getLong();
  }

  /**
   * A view of the bytes from {@code begin} up to {@code end}, which is not included. It keeps the
   * whole array in memory; {@link #compact} does not.
   *
   * @throws IndexOutOfBoundsException when they do not lie in these bytes
   */
  public Bytes slice(int begin, int end) {
    if (begin < 0 || end > length || begin > end) {
      throw new IndexOutOfBoundsException(begin + " to " + end + " of " + length + " bytes");
    }
    return begin == end ? EMPTY : new Bytes(array, offset + begin, end - begin);
  }

  /** As {@link #slice(int, int)}, up to the end. */
  public Bytes slice(int begin) {
    return slice(begin, length);
  }

  /** A copy of these bytes and the others after them. */
  public Bytes concat(Bytes other) {
    byte[] joined = Arrays.copyOfRange(array, offset, offset + length + other.length);
    System.arraycopy(other.array, other.offset, joined, length, other.length);
    return wrap(joined);
  }

  /** Whether these bytes begin with others; all begin with none. */
  public boolean startsWith(Bytes prefix) {
    return prefix.length <= length
        && Arrays.equals(
            array,
            offset,
            offset + prefix.length,
            prefix.array,
            prefix.offset,
            prefix.offset + prefix.length);
  }

  /** The smallest sequence that sorts after this one: these bytes and one 0x00. */
  public Bytes successor() {
    return wrap(Arrays.copyOf(toArray(), length + 1));
  }

  /**
   * The smallest sequence that sorts after everything that starts with these bytes; null when there
   * is none (no bytes, or all of them 0xFF).
   */
  public @Nullable Bytes prefixEnd() {
    for (int i = length - 1; i >= 0; i--) {
      if (at(i) != (byte) 0xFF) {
        byte[] end = Arrays.copyOfRange(array, offset, offset + i + 1);
        end[i]++;
        return wrap(end);
      }
    }
    return null;
  }

  /**
   * Returns the same bytes for long-term storage: not as a view of an array that is much larger.
   */
  public Bytes compact() {
    return array.length <= 2 * length + 32 ? this : wrap(toArray());
  }

  /** A copy of the bytes. */
  public byte[] toArray() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /** Copies the bytes into {@code target} from {@code position} on. */
  public void copyTo(byte[] target, int position) {
    System.arraycopy(array, offset, target, position, length);
  }

  /** A read-only view. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(array, offset, length).slice().asReadOnlyBuffer();
  }

  /** Adds them to a checksum. */
  public void addTo(Checksum sum) {
    sum.update(array, offset, length);
  }

  /** Decodes the bytes as text. Bytes that are not UTF-8 become U+FFFD, without an exception. */
  public String toUtf8() {
    return new String(array, offset, length, StandardCharsets.UTF_8);
  }

  /** Two lower-case digits for each byte. */
  public String toHex() {
    return HexFormat.of().formatHex(array, offset, offset + length);
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(
        array, offset, offset + length, other.array, other.offset, other.offset + other.length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes that
        && Arrays.equals(
            array, offset, offset + length, that.array, that.offset, that.offset + that.length);
  }

  @Override
  public int hashCode() {
    int h = hash;
    if (h == 0) {
      h = 1;
      for (int i = offset; i < offset + length; i++) {
        h = 31 * h + array[i];
      }
      hash = h;
    }
    return h;
  }

  /** Printable characters of ASCII as they are, a backslash as two, the others as \xNN. */
  @Override
  public String toString() {
    byte[] text = new byte[4 * length];
    int end = 0;
    for (int i = 0; i < length; i++) {
      int b = at(i) & 0xFF;
      if (b >= 0x20 && b < 0x7F && b != '\\') {
        text[end++] = (byte) b;
        continue;
      }
      text[end++] = '\\';
      if (b == '\\') {
        text[end++] = '\\';
      } else {
        text[end++] = 'x';
        text[end++] = DIGITS[b >> 4];
        text[end++] = DIGITS[b & 15];
      }
    }
    return new String(text, 0, end, StandardCharsets.ISO_8859_1);
  }
}
