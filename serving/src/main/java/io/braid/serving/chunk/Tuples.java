package io.braid.serving.chunk;

import io.braid.serving.ServingException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The tuples of a data file: checksum (4 bytes), key length and value length (varints), key, value.
 * The checksum covers everything behind it. Raw keys are kept and compared (section 4.1).
 */
final class Tuples {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int CHECKSUM = 4;

  /** So long a tuple takes more cache lines than the processor asks memory for by itself. */
  private static final int MANY_LINES = 512;

  private final MappedFile file;
  private final ByteBuffer bytes;
  private final int end;

  Tuples(MappedFile file) {
    this.file = file;
    this.bytes = file.bytes;
    this.end = file.end();
  }

  /**
   * Where the value of the tuple at {@code at} lies, if the tuple has this key.
   *
   * @param salt what the stored checksum was mixed with
   * @throws ServingException {@code DAMAGED} when the tuple is not as it was written
   */
  long match(int at, byte[] key, int offset, int length, int salt) {
    long lengths = lengths(at);
    int keyLength = keyLength(lengths);
    int keyAt = keyAt(at, lengths);
    int stop = keyAt + keyLength + valueLength(lengths);
    if ((file.checksum(at + CHECKSUM, stop) ^ salt) != bytes.getInt(at)) {
      throw wrongChecksum(at);
    }
    if (keyLength != length || !sameKey(keyAt, key, offset, length)) {
      return Location.ABSENT;
    }
    return Location.of(keyAt + keyLength, valueLength(lengths));
  }

  /**
   * As {@link #match(int, byte[], int, int, int)} without salt, of a tuple whose length the index
   * tells. Where its value lies then follows from that and from the key that is asked for; what the
   * tuple says of itself is only compared. So a processor that guesses the comparisons right need
   * not wait for the tuple to come from memory before it begins with what is read next: not even to
   * know how much room the value's copy takes.
   *
   * @param tuple how long the tuple is; wrong if the index is damaged
   */
  long match(int at, int tuple, byte[] key, int offset, int length) {
    int rest = tuple - CHECKSUM - width(length) - length;
    int valueLength = rest - widthWithin(rest);
    int valueAt = at + tuple - valueLength;
    if (valueLength < 0
        || at < Footer.HEADER
        || at > end - tuple
        || varint(at + CHECKSUM) != length
        || varint(at + CHECKSUM + width(length)) != valueLength) {
      return match(at, key, offset, length, 0);
    }
    if (tuple >= MANY_LINES) {
      file.touch(at, at + tuple);
    }
    if (file.checksum(at + CHECKSUM, at + tuple) != bytes.getInt(at)) {
      throw wrongChecksum(at);
    }
    return sameKey(valueAt - length, key, offset, length)
        ? Location.of(valueAt, valueLength)
        : Location.ABSENT;
  }

  /** Where the tuple at {@code at} ends. */
  int end(int at) {
    long lengths = lengths(at);
    return keyAt(at, lengths) + keyLength(lengths) + valueLength(lengths);
  }

  /** The key of the tuple at {@code at}, copied. */
  byte[] key(int at) {
    long lengths = lengths(at);
    byte[] key = new byte[keyLength(lengths)];
    bytes.get(keyAt(at, lengths), key);
    return key;
  }

  private boolean sameKey(int at, byte[] key, int offset, int length) {
    int i = 0;
    for (; i <= length - 8; i += 8) {
      if (bytes.getLong(at + i) != (long) LONG.get(key, offset + i)) {
        return false;
      }
    }
    for (; i < length; i++) {
      if (bytes.get(at + i) != key[offset + i]) {
        return false;
      }
    }
    return true;
  }

  /** Key length in the upper, value length in the lower half; both bounded by the file. */
  private long lengths(int at) {
    if (at < Footer.HEADER || at > end - CHECKSUM - 2) {
      throw file.corrupt("a tuple cannot begin at " + at);
    }
    int keyLength = varint(at + CHECKSUM);
    int valueLength = varint(at + CHECKSUM + width(keyLength));
    long stop = at + CHECKSUM + width(keyLength) + width(valueLength) + (long) keyLength;
    if (keyLength > Limits.KEY || stop + valueLength > end) {
      throw file.corrupt("the tuple at " + at + " has impossible lengths");
    }
    return (long) keyLength << 32 | valueLength;
  }

  private int varint(int at) {
    int value = bytes.get(at);
    if (value >= 0) {
      return value;
    }
    value &= 0x7F;
    for (int i = 1; i < 5; i++) {
      int b = bytes.get(at + i);
      value |= (b & 0x7F) << (7 * i);
      if (b >= 0) {
        if (value < 0 || width(value) != i + 1) {
          break;
        }
        return value;
      }
    }
    throw file.corrupt("the tuple at " + (at - CHECKSUM) + " has no readable lengths");
  }

  private ServingException wrongChecksum(int at) {
    return file.corrupt("the checksum of the tuple at " + at + " is wrong");
  }

  private static int keyLength(long lengths) {
    return (int) (lengths >>> 32);
  }

  private static int valueLength(long lengths) {
    return (int) lengths;
  }

  private static int keyAt(int at, long lengths) {
    return at + CHECKSUM + width(keyLength(lengths)) + width(valueLength(lengths));
  }

  /** How many bytes a varint takes. */
  static int width(int value) {
    return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5;
  }

  /** How many of so many bytes, a varint and as many bytes as it says, the varint takes. */
  private static int widthWithin(int bytes) {
    return bytes <= 1 << 7
        ? 1
        : bytes <= (1 << 14) + 1 ? 2 : bytes <= (1 << 21) + 2 ? 3 : bytes <= (1 << 28) + 3 ? 4 : 5;
  }
}
