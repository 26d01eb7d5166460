package io.braid.cli.hbase;

import io.braid.core.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A process of the cluster, running or not. Its file under {@code run/} holds its number, when it
 * began, so that another process that has got the number since is not taken for it, and the port
 * that a region server listens on.
 *
 * @param megabytes of heap
 */
record ClusterProcess(
    Path cluster, String name, int megabytes, String main, List<String> arguments) {
  private static final String PORT = "hbase.regionserver.port";

  private static final String[] OPENED = {
    "java.base/java.lang",
    "java.base/java.lang.reflect",
    "java.base/java.nio",
    "java.base/sun.nio.ch",
    "java.base/java.util",
    "java.base/java.io"
  };

  Path log() {
    return cluster.resolve("logs").resolve(name + ".log");
  }

  private Path file() {
    return cluster.resolve("run").resolve(name);
  }

  /** Starts it, unless it runs. */
  void start() {
    start(null);
  }

  /**
   * Starts the process, unless it runs.
   *
   * @param watched the process whose end also ends this one; null for none
   */
  void start(WatchingProcess.@Nullable Watched watched) {
    if (find().isPresent()) {
      return;
    }
    List<String> command = new ArrayList<>();
    // A session of its own: later keys in the terminal do not reach the process.
    Path setsid = Path.of("/usr/bin/setsid");
    if (Files.isExecutable(setsid)) {
      command.add(setsid.toString());
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + megabytes + "m", "-XX:+UseSerialGC", "-Dbraid." + name));
    for (String opened : OPENED) {
      command.addAll(List.of("--add-opens", opened + "=ALL-UNNAMED"));
    }
    command.addAll(List.of("-cp", classPath()));
    try {
      int port = ClusterHome.freePort();
      if (watched != null) {
        command.add(WatchingProcess.class.getName());
        command.add(String.valueOf(watched.pid()));
        command.add(String.valueOf(watched.began()));
      }
      command.add(main);
      if (isRegionServer()) {
        command.add("-D" + PORT + "=" + port);
      }
      command.addAll(arguments);
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(cluster.toFile())
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
      builder.environment().put("BRAID_LOG", "INFO");
      ProcessHandle handle = builder.start().toHandle();
      Files.writeString(
          file(), handle.pid() + " " + WatchingProcess.began(handle) + " " + port + "\n");
    } catch (IOException e) {
      throw new StoreException("The process " + name + " cannot be started: " + e, e);
    }
  }

  /**
   * Returns a class path with copies of Braid's own jars, so that the jars may be built again while
   * the cluster runs.
   */
  private String classPath() {
    StringBuilder path = new StringBuilder(cluster + ":" + cluster.resolve("lib") + "/*");
    for (String each : System.getProperty("java.class.path").split(":")) {
      if (!ClusterHome.isOwn(Path.of(each))) {
        path.append(':').append(Path.of(each).toAbsolutePath());
      }
    }
    return path.toString();
  }

  /** The process, if it runs. */
  Optional<ProcessHandle> find() {
    return note()
        .flatMap(
            words ->
                ProcessHandle.of(Long.parseLong(words[0]))
                    .filter(ProcessHandle::isAlive)
                    .filter(handle -> WatchingProcess.began(handle) == Long.parseLong(words[1])));
  }

  private Optional<String[]> note() {
    try {
      return Optional.of(Files.readString(file()).strip().split(" "));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new StoreException("The file " + file() + " cannot be read.", e);
    }
  }

  /** Returns whether the process ends when the cluster is asked to end. */
  boolean isOfHBase() {
    return isRegionServer() || name.equals(ClusterHome.MASTER);
  }

  boolean isRegionServer() {
    return name.startsWith("rs");
  }

  /** Returns the port of a region server, by which HBase names it; -1 when it was never started. */
  int port() {
    return note().map(words -> Integer.parseInt(words[2])).orElse(-1);
  }

  /** Forgets a process that ended in order. */
  void forget() {
    try {
      Files.deleteIfExists(file());
    } catch (IOException e) {
      throw new StoreException("The file " + file() + " cannot be removed.", e);
    }
  }

  void signal(String signal) {
    ProcessHandle handle =
        find().orElseThrow(() -> new StoreException("The process " + name + " does not run."));
    try {
      int code =
          new ProcessBuilder("kill", "-" + signal, String.valueOf(handle.pid())).start().waitFor();
      if (code != 0) {
        throw new StoreException("The process " + name + " cannot be signalled.");
      }
    } catch (IOException e) {
      throw new StoreException("The process " + name + " cannot be signalled: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted.", e);
    }
  }

  /** Asks it to end, and ends it (SIGKILL) when it has not after this time. */
  void end(Duration patience) {
    find()
        .ifPresent(
            handle -> {
              handle.destroy();
              if (!awaitEnd(handle, patience)) {
                handle.destroyForcibly();
                awaitEnd(handle, patience);
              }
            });
  }

  static boolean awaitEnd(ProcessHandle handle, Duration patience) {
    try {
      handle.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return !handle.isAlive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
