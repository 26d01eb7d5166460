package io.braid.batch.input;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.apiguardian.api.API;

/**
 * The compression of a file, according to the end of its name.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public enum Compression {
  NONE(""),
  GZIP(".gz"),
  ZSTD(".zst");

  private static final int BUFFER = 1 << 16;

  private final String suffix;

  Compression(String suffix) {
    this.suffix = suffix;
  }

  public static Compression of(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT);
    return name.endsWith(GZIP.suffix) ? GZIP : name.endsWith(ZSTD.suffix) ? ZSTD : NONE;
  }

  /** Returns the name without the ending of the compression. */
  public String strip(String fileName) {
    return fileName.substring(0, fileName.length() - suffix.length());
  }

  /**
   * Opens the contents of the file, to the end of its last part: both formats allow several parts,
   * one after another. The JDK's own reader is not used, since it takes a damaged part for the end
   * of the file.
   */
  public InputStream open(InputStream file) throws IOException {
    return switch (this) {
      case NONE -> file;
      case GZIP -> gunzip(file);
      case ZSTD -> new ZstdInputStream(file);
    };
  }

  private static InputStream gunzip(InputStream file) throws IOException {
    try {
      InputStream in =
          GzipCompressorInputStream.builder()
              .setInputStream(file)
              .setBufferSize(BUFFER)
              .setDecompressConcatenated(true)
              .get();
      return new CheckedStream(in);
    } catch (EOFException e) {
      file.close();
      throw CheckedStream.told(e);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Compresses the written bytes. */
  public OutputStream open(OutputStream file) throws IOException {
    return switch (this) {
      case NONE -> file;
      case GZIP -> new GZIPOutputStream(file, BUFFER);
      case ZSTD -> new ZstdOutputStream(file).setChecksum(true);
    };
  }

  /** Explains an end within a part, for which the library gives no explanation. */
  private static final class CheckedStream extends FilterInputStream {
    CheckedStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      try {
        return super.read(bytes, offset, length);
      } catch (EOFException e) {
        throw told(e);
      }
    }

    static IOException told(EOFException e) {
      return new IOException(
          "Its compressed data ends too early: the file is cut short or damaged.", e);
    }
  }
}
