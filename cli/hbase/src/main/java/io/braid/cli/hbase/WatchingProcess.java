package io.braid.cli.hbase;

import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * A process that ends when another one does, however that one ended: a killed one runs no hook. It
 * does what the class does whose name follows, and looks once a second whether the other is there.
 */
public final class WatchingProcess {
  private static final int LOOK_MILLIS = 1000;

  /**
   * The process that is watched.
   *
   * @param began in milliseconds since 1970, so that another process that got the same number since
   *     is not taken for the watched one
   */
  record Watched(long pid, long began) {
    /** Returns the process; empty when there is no such process. */
    static Optional<Watched> find(long pid) {
      return ProcessHandle.of(pid)
          .filter(ProcessHandle::isAlive)
          .map(handle -> new Watched(pid, WatchingProcess.began(handle)));
    }

    boolean isThere() {
      return find(pid).filter(this::equals).isPresent();
    }
  }

  static long began(ProcessHandle handle) {
    return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  private WatchingProcess() {}

  /**
   * @param words number and beginning of the process that is watched; a class, and its arguments
   */
  public static void main(String[] words) throws ReflectiveOperationException {
    Watched watched = new Watched(Long.parseLong(words[0]), Long.parseLong(words[1]));
    Thread watching = new Thread(() -> watch(watched), "braid-watching");
    watching.setDaemon(true);
    watching.start();
    Object arguments = Arrays.copyOfRange(words, 3, words.length);
    Class.forName(words[2]).getMethod("main", String[].class).invoke(null, arguments);
  }

  private static void watch(Watched watched) {
    while (watched.isThere()) {
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        // Nobody may stop this.
      }
    }
    Runtime.getRuntime().halt(1);
  }
}
