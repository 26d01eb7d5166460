package io.braid.cli;

import io.braid.cli.command.ExitCode;
import java.io.IOException;
import java.io.InputStream;

/**
 * A server that ends with the process that started it, however that ends: it holds the other end of
 * the standard input.
 */
final class WatchedServer {
  private WatchedServer() {}

  public static void main(String[] args) {
    Thread watch = new Thread(() -> endWith(System.in), "watch");
    watch.setDaemon(true);
    watch.start();
    Main.main(args);
  }

  private static void endWith(InputStream parent) {
    try {
      while (parent.read() >= 0) {
        // The parent sends nothing this way.
      }
    } catch (IOException e) {
      // The parent is gone.
    }
    Runtime.getRuntime().halt(ExitCode.FAILED);
  }
}
