package io.braid.batch.formats;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.io.SeekableInputStream;

/** Files, wherever they are, as Parquet reads and writes them. */
final class ParquetFiles {
  private static final int BUFFER = 1 << 16;

  private ParquetFiles() {}

  static InputFile input(Path file) {
    return new InputFile() {
      @Override
      public long getLength() throws IOException {
        return Files.size(file);
      }

      @Override
      public SeekableInputStream newStream() throws IOException {
        return new Input(Files.newByteChannel(file));
      }

      /** Parquet names it in its messages. */
      @Override
      public String toString() {
        return String.valueOf(file.getFileName());
      }
    };
  }

  static OutputFile output(Path file) {
    return new OutputFile() {
      @Override
      public PositionOutputStream create(long blockSize) throws IOException {
        return new Output(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW));
      }

      @Override
      public PositionOutputStream createOrOverwrite(long blockSize) throws IOException {
        return new Output(Files.newOutputStream(file));
      }

      @Override
      public boolean supportsBlockSize() {
        return false;
      }

      @Override
      public long defaultBlockSize() {
        return 0;
      }

      @Override
      public String getPath() {
        return file.toString();
      }
    };
  }

  private static final class Input extends DelegatingSeekableInputStream {
    private final SeekableByteChannel channel;

    Input(SeekableByteChannel channel) {
      super(Channels.newInputStream(channel));
      this.channel = channel;
    }

    @Override
    public long getPos() throws IOException {
      return channel.position();
    }

    @Override
    public void seek(long to) throws IOException {
      channel.position(to);
    }
  }

  private static final class Output extends PositionOutputStream {
    private final OutputStream out;
    private long position;

    Output(OutputStream out) {
      this.out = new BufferedOutputStream(out, BUFFER);
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void write(int one) throws IOException {
      out.write(one);
      position++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
      position += length;
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
