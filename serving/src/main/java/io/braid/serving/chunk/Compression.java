package io.braid.serving.chunk;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How the values of a store are packed, each by itself (section 3: compression is per tuple, and
 * for clients to undo), or whole blocks of tuples ({@link IndexKind#BLOCKS IndexKind.BLOCKS}). A
 * packed value begins with its plain length as a varint; 0 means that what follows is as it was,
 * since packing did not make it shorter. Keys are never packed.
 */
@API(status = API.Status.EXPERIMENTAL)
public enum Compression {
  NONE {
    @Override
    public Bytes pack(Bytes value) {
      return value;
    }

    @Override
    Bytes unpack(Bytes packed, int most) {
      return packed;
    }

    @Override
    byte[] shorter(byte[] value) {
      return value;
    }

    @Override
    byte[] longer(byte[] packed, int from, int length) {
      return Arrays.copyOfRange(packed, from, packed.length);
    }
  },

  /** Packs well; unpacks some hundred megabytes a second. */
  ZSTD {
    @Override
    byte[] shorter(byte[] value) {
      return Zstd.compress(value, LEVEL);
    }

    @Override
    byte[] longer(byte[] packed, int from, int length) {
      byte[] plain = new byte[length];
      long done = Zstd.decompressByteArray(plain, 0, length, packed, from, packed.length - from);
      if (Zstd.isError(done)) {
        throw new ZstdException(done);
      }
      return done == length ? plain : Arrays.copyOf(plain, (int) done);
    }
  },

  /** Packs less, and unpacks several times as fast. */
  LZ4 {
    @Override
    byte[] shorter(byte[] value) {
      return FACTORY.fastCompressor().compress(value);
    }

    @Override
    byte[] longer(byte[] packed, int from, int length) {
      return FACTORY.safeDecompressor().decompress(packed, from, packed.length - from, length);
    }
  };

  private static final int LEVEL = 9;

  /** Bytes that a length has at most. */
  private static final int HEAD = 5;

  private static final LZ4Factory FACTORY = LZ4Factory.fastestJavaInstance();

  /** Returns the name of the compression in manifests. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The one that is written so; nothing means none.
   *
   * @throws IllegalArgumentException when there is no such one
   */
  public static Compression named(String text) {
    if (text.isEmpty()) {
      return NONE;
    }
    for (Compression compression : values()) {
      if (compression.text().equals(text)) {
        return compression;
      }
    }
    throw new IllegalArgumentException(
        "There is no compression '" + text + "': use none, zstd or lz4.");
  }

  /** Returns the code of the compression in files. */
  final int code() {
    return ordinal();
  }

  /** The one with a code; null when there is none. */
  static @Nullable Compression coded(int code) {
    return code >= 0 && code < values().length ? values()[code] : null;
  }

  abstract byte[] shorter(byte[] value);

  /** Unpacks the bytes from a position on. */
  abstract byte[] longer(byte[] packed, int from, int length);

  public Bytes pack(Bytes value) {
    byte[] plain = value.toArray();
    byte[] packed = plain.length == 0 ? plain : shorter(plain);
    return packed.length < plain.length
        ? new Encoder().varint(plain.length).raw(Bytes.wrap(packed)).finish()
        : new Encoder().varint(0).raw(value).finish();
  }

  /** How long a packed value is when it is unpacked. */
  public int length(Bytes packed) {
    if (this == NONE) {
      return packed.length();
    }
    Decoder from = new Decoder(packed);
    int length = from.count(Limits.STORED);
    return length == 0 ? from.remaining() : length;
  }

  /** As {@link #length(Bytes)}; reads nothing but its beginning. */
  public int length(ByteBuffer packed) {
    if (this == NONE) {
      return packed.remaining();
    }
    byte[] head = new byte[Math.min(HEAD, packed.remaining())];
    packed.get(packed.position(), head);
    Decoder from = new Decoder(Bytes.wrap(head));
    int length = from.count(Limits.STORED);
    return length == 0 ? packed.remaining() - (head.length - from.remaining()) : length;
  }

  /**
   * The value as it was.
   *
   * @throws IllegalArgumentException when it was not packed this way
   */
  public Bytes unpack(Bytes packed) {
    return unpack(packed, Limits.STORED);
  }

  /**
   * As {@link #unpack(Bytes)}.
   *
   * @param most bytes that it may have
   */
  Bytes unpack(Bytes packed, int most) {
    return unpack(packed.toArray(), most);
  }

  /** Unpacks as {@link #unpack(Bytes)} does, without a copy. The array must not change any more. */
  public Bytes unpack(byte[] packed) {
    return unpack(packed, Limits.STORED);
  }

  private Bytes unpack(byte[] packed, int most) {
    if (this == NONE) {
      return Bytes.wrap(packed);
    }
    Decoder from = new Decoder(Bytes.wrap(packed));
    int length = from.count(most);
    if (length == 0) {
      return from.rest();
    }
    byte[] plain;
    try {
      plain = longer(packed, packed.length - from.remaining(), length);
    } catch (ZstdException | LZ4Exception e) {
      throw new IllegalArgumentException("A value is not packed as " + text() + ".", e);
    }
    if (plain.length != length) {
      throw new IllegalArgumentException("A value does not have its length.");
    }
    return Bytes.wrap(plain);
  }
}
