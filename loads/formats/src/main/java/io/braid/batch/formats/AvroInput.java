package io.braid.batch.formats;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.avro.file.SeekableInput;

/** A file, wherever it is, as Avro reads it. */
final class AvroInput implements SeekableInput {
  private final SeekableByteChannel channel;

  AvroInput(Path file) throws IOException {
    this.channel = Files.newByteChannel(file);
  }

  @Override
  public void seek(long to) throws IOException {
    channel.position(to);
  }

  @Override
  public long tell() throws IOException {
    return channel.position();
  }

  @Override
  public long length() throws IOException {
    return channel.size();
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    return channel.read(ByteBuffer.wrap(into, from, length));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
