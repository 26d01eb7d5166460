package io.braid.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Standard output that notes failed writes, as on a full disk. Java hides such failures. */
final class NotedOutput extends FilterOutputStream {
  private volatile Optional<String> failure = Optional.empty();

  NotedOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      if (failure.isEmpty()) {
        failure = Optional.of(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  /** Returns why results are not whole; empty when their reader has closed the pipe. */
  Optional<String> failure() {
    return failure.filter(why -> !why.contains("Broken pipe"));
  }
}
