package io.braid.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.core.store.StoreException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server in a process of its own, which is killed (SIGKILL) now and then and started again at the
 * same addresses.
 */
public final class OwnServer implements AutoCloseable {
  private static final Duration START_UP = Duration.ofMinutes(2);
  private static final String ANY = "127.0.0.1:0";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> arguments;
  private final Path log;
  private String http = ANY;
  private String grpc = ANY;
  private Process process;
  private volatile int kills;
  private volatile @Nullable RuntimeException failure;
  private volatile boolean closed;

  /**
   * Starts a server.
   *
   * @param main the class of the command line, which ends with its standard input
   * @param arguments of 'braid server', without its addresses
   * @param log the log file of the server
   * @throws StoreException when the server does not start; the log says why
   */
  public OwnServer(Class<?> main, List<String> arguments, Path log) {
    this.arguments = new ArrayList<>(List.of("-cp", System.getProperty("java.class.path")));
    this.arguments.addAll(List.of(main.getName(), "server", "--json"));
    this.arguments.addAll(arguments);
    this.log = log;
    this.process = start();
  }

  /** Kills and starts the server at each interval, from now on. */
  public void killEvery(Duration interval) {
    Thread killer = new Thread(() -> killAgainAndAgain(interval), "killer");
    killer.setDaemon(true);
    killer.start();
  }

  private void killAgainAndAgain(Duration interval) {
    try {
      while (!closed) {
        Thread.sleep(interval.toMillis());
        killAndStart();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private synchronized void killAndStart() throws InterruptedException {
    if (!closed) {
      process.destroyForcibly().waitFor();
      kills++;
      process = start();
    }
  }

  private Process start() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    // RocksDB is native; newer JVMs remark on that otherwise.
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(arguments);
    command.addAll(List.of("--set", "server.listen=" + http, "--set", "server.grpc=" + grpc));
    try {
      Process started =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      readAddresses(started);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("No process could be started for the server.", e);
    }
  }

  /** Reads the addresses, which the server prints once it listens. */
  private void readAddresses(Process started) throws IOException {
    Thread patience = new Thread(() -> endUnlessHeard(started), "patience");
    patience.setDaemon(true);
    patience.start();
    BufferedReader output =
        new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
    String line = output.readLine();
    patience.interrupt();
    if (line == null) {
      throw new StoreException("The server did not start; " + log + " tells why.");
    }
    JsonNode addresses = JSON.readTree(line);
    http = URI.create(addresses.path("http").asText()).getAuthority();
    grpc = addresses.path("grpc").asText();
  }

  private static void endUnlessHeard(Process started) {
    try {
      if (!started.waitFor(START_UP.toSeconds(), TimeUnit.SECONDS)) {
        started.destroyForcibly();
      }
    } catch (InterruptedException e) {
      // The server has printed its addresses.
    }
  }

  /** Returns the address for HTTP. */
  public String http() {
    return "http://" + http;
  }

  /** Returns the address for gRPC. */
  public String grpc() {
    return "grpc://" + grpc;
  }

  /** How often it was killed. */
  public int kills() {
    return kills;
  }

  /**
   * Ends it.
   *
   * @throws StoreException when it did not start again after it was killed
   */
  @Override
  public void close() {
    closed = true;
    synchronized (this) {
      process.destroy();
      try {
        if (!process.waitFor(START_UP.toSeconds(), TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
    RuntimeException met = failure;
    if (met != null) {
      throw met;
    }
  }
}
