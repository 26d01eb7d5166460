package io.braid.serving.fetch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A folder that this machine can read. Links in it are not followed. */
public record LocalSource(Path folder) implements Source {
  @Override
  public InputStream open(String name, long offset) throws IOException {
    FileChannel channel =
        FileChannel.open(folder.resolve(name), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    channel.position(offset);
    return Channels.newInputStream(channel);
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
