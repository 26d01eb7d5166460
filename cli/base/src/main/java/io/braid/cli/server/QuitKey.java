package io.braid.cli.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.NonBlockingReader;

/**
 * Waits for the key by which a person ends what is drawn again and again. Keys are read as they are
 * pressed, and not shown; Ctrl-C stays a signal to the process.
 */
final class QuitKey implements AutoCloseable {
  private final Terminal terminal;
  private final Attributes before;

  /** Reads from the terminal of this process. */
  QuitKey() throws IOException {
    this(TerminalBuilder.builder().system(true).encoding(StandardCharsets.UTF_8).build());
  }

  /**
   * @param terminal is closed with this
   */
  QuitKey(Terminal terminal) {
    this.terminal = terminal;
    this.before = terminal.enterRawMode();
  }

  /**
   * Waits for a time at most. Returns whether {@code q} was pressed meanwhile, or the input has
   * ended.
   */
  boolean pressed(Duration within) throws IOException {
    long end = System.nanoTime() + within.toNanos();
    while (true) {
      long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
      if (left <= 0) {
        return false;
      }
      int key = terminal.reader().read(left);
      if (key == 'q' || key == 'Q' || key == NonBlockingReader.EOF) {
        return true;
      }
    }
  }

  @Override
  public void close() throws IOException {
    terminal.setAttributes(before);
    terminal.close();
  }
}
