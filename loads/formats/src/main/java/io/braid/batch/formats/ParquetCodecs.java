package io.braid.batch.formats;

import com.github.luben.zstd.Zstd;
import io.braid.batch.input.Compression;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Factory;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/** The codecs of Parquet's pages, by the libraries themselves and not through Hadoop. */
final class ParquetCodecs implements CompressionCodecFactory {
  private static final int LEVEL = 3;

  /** A codec of whole pages. */
  private enum Codec {
    NONE {
      @Override
      byte[] pack(byte[] plain) {
        return plain;
      }

      @Override
      byte[] unpack(byte[] packed, int length) {
        return packed;
      }
    },
    SNAPPY {
      @Override
      byte[] pack(byte[] plain) throws IOException {
        return Snappy.compress(plain);
      }

      @Override
      byte[] unpack(byte[] packed, int length) throws IOException {
        return Snappy.uncompress(packed);
      }
    },
    GZIP {
      @Override
      byte[] pack(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
          out.write(plain);
        }
        return bytes.toByteArray();
      }

      @Override
      byte[] unpack(byte[] packed, int length) throws IOException {
        // Reads one byte more than there should be, so that the reader reaches the end and compares
        // the checksum.
        try (InputStream in = Compression.GZIP.open(new ByteArrayInputStream(packed))) {
          return in.readNBytes(length + 1);
        }
      }
    },
    ZSTD {
      @Override
      byte[] pack(byte[] plain) {
        return Zstd.compress(plain, LEVEL);
      }

      @Override
      byte[] unpack(byte[] packed, int length) {
        return Zstd.decompress(packed, length);
      }
    },
    LZ4_RAW {
      @Override
      byte[] pack(byte[] plain) {
        return LZ4Factory.fastestInstance().fastCompressor().compress(plain);
      }

      @Override
      byte[] unpack(byte[] packed, int length) {
        return LZ4Factory.fastestInstance().safeDecompressor().decompress(packed, length);
      }
    };

    abstract byte[] pack(byte[] plain) throws IOException;

    abstract byte[] unpack(byte[] packed, int length) throws IOException;
  }

  private static Codec codec(CompressionCodecName name) {
    return switch (name) {
      case UNCOMPRESSED -> Codec.NONE;
      case SNAPPY -> Codec.SNAPPY;
      case GZIP -> Codec.GZIP;
      case ZSTD -> Codec.ZSTD;
      case LZ4_RAW -> Codec.LZ4_RAW;
      default ->
          throw new UnsupportedOperationException(
              "Parquet files that are compressed by " + name + " are not read.");
    };
  }

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName name) {
    Codec codec = codec(name);
    return new BytesInputCompressor() {
      @Override
      public BytesInput compress(BytesInput bytes) throws IOException {
        return BytesInput.from(codec.pack(bytes.toByteArray()));
      }

      @Override
      public CompressionCodecName getCodecName() {
        return name;
      }

      @Override
      public void release() {
        // it holds nothing
      }
    };
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
    Codec codec = codec(name);
    return new BytesInputDecompressor() {
      @Override
      public BytesInput decompress(BytesInput bytes, int length) throws IOException {
        return BytesInput.from(unpack(codec, bytes.toByteArray(), length));
      }

      @Override
      public void decompress(ByteBuffer input, int packed, ByteBuffer output, int length)
          throws IOException {
        byte[] bytes = new byte[packed];
        input.get(bytes);
        output.put(unpack(codec, bytes, length));
      }

      @Override
      public void release() {
        // it holds nothing
      }
    };
  }

  private static byte[] unpack(Codec codec, byte[] packed, int length) throws IOException {
    byte[] plain;
    try {
      plain = codec.unpack(packed, length);
    } catch (RuntimeException e) {
      throw new IOException("A page is damaged: " + e.getMessage(), e);
    }
    if (plain.length != length) {
      throw new IOException(
          "A page is damaged: it has " + plain.length + " bytes instead of " + length + ".");
    }
    return plain;
  }

  @Override
  public void release() {
    // it holds nothing
  }
}
