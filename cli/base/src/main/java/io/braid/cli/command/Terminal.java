package io.braid.cli.command;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBarConsumer;

/** The terminal, when a person is looking. */
public final class Terminal {
  private static final int DEFAULT_WIDTH = 79;

  private Terminal() {}

  /** The console, if input and output are a terminal. From Java 22 on there is one anyway. */
  public static Optional<Console> console() {
    return Optional.ofNullable(System.console()).filter(Terminal::isTerminal);
  }

  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** One line that is written over again and again. */
  static ProgressBarConsumer line(PrintWriter to) {
    return new Line(to);
  }

  private record Line(PrintWriter to) implements ProgressBarConsumer {
    @Override
    public int getMaxRenderedLength() {
      String columns = System.getenv("COLUMNS");
      return columns != null && columns.matches("[1-9][0-9]{1,3}")
          ? Integer.parseInt(columns) - 1
          : DEFAULT_WIDTH;
    }

    @Override
    public void accept(String line) {
      to.print("\r" + line);
      to.flush();
    }

    @Override
    public void clear() {
      accept(" ".repeat(getMaxRenderedLength()) + "\r");
    }

    @Override
    public void close() {
      to.flush();
    }
  }
}
