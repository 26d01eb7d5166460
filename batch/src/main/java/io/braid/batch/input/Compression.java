package io.braid.batch.input;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** How a file is compressed, told by the end of its name. */
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

  /** The name without the ending that tells the compression. */
  public String strip(String fileName) {
    return fileName.substring(0, fileName.length() - suffix.length());
  }

  InputStream open(InputStream file) throws IOException {
    return switch (this) {
      case NONE -> file;
      case GZIP -> new GZIPInputStream(file, BUFFER);
      case ZSTD -> new ZstdInputStream(file);
    };
  }

  /** Compresses what is written. */
  public OutputStream open(OutputStream file) throws IOException {
    return switch (this) {
      case NONE -> file;
      case GZIP -> new GZIPOutputStream(file, BUFFER);
      case ZSTD -> new ZstdOutputStream(file);
    };
  }
}
