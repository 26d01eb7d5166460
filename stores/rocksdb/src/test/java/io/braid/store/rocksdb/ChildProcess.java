package io.braid.store.rocksdb;

import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowWrite;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that opens a store and writes as fast as it can: its threads put rows {@code
 * THREAD-NUMBER}, one after another, and print each once it is acknowledged, or any other outcome
 * of it.
 */
final class ChildProcess implements AutoCloseable {
  private static final String READY = "ready";

  private final Process process;
  private final BufferedReader output;

  private ChildProcess(Process process) {
    this.process = process;
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts the process and waits until its store is open.
   *
   * @param before what the command line begins with
   * @param threads how many threads write
   */
  static ChildProcess start(
      List<String> before, Path directory, Durability durability, int threads, int valueBytes)
      throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ChildProcess.class.getName());
    command.add(directory.toString());
    command.add(durability.name());
    command.add(String.valueOf(threads));
    command.add(String.valueOf(valueBytes));
    ChildProcess child =
        new ChildProcess(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    String line = child.line();
    if (!READY.equals(line)) {
      throw new IOException("The child said: " + line);
    }
    return child;
  }

  long pid() {
    return process.pid();
  }

  /** The next line that it prints; null at the end. */
  @Nullable String line() throws IOException {
    return output.readLine();
  }

  /** Kills it as the operating system would: SIGKILL. */
  void kill() throws InterruptedException {
    // Unlike Process.destroyForcibly, this leaves its output to be read.
    process.toHandle().destroyForcibly();
    process.waitFor();
  }

  /**
   * Tells it to end, as an operator does: SIGTERM. Its store stays open.
   *
   * @return whether it has ended in time
   */
  boolean end(Duration time) throws InterruptedException {
    process.toHandle().destroy();
    return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  public static void main(String[] args) throws IOException {
    RocksStore store = RocksStore.open(Path.of(args[0]), Fixtures.SMALL);
    store.ensureTable(Fixtures.schema());
    say(READY);
    Durability durability = Durability.valueOf(args[1]);
    String value = "v".repeat(Integer.parseInt(args[3]));
    for (int t = 0; t < Integer.parseInt(args[2]); t++) {
      int thread = t;
      new Thread(() -> writeForEver(store, durability, thread, value)).start();
    }
    while (System.in.read() >= 0) {
      // Nobody writes: this waits for the end of the parent.
    }
    Runtime.getRuntime().halt(0);
  }

  private static void writeForEver(
      RocksStore store, Durability durability, int thread, String value) {
    for (int i = 0; ; i++) {
      String key = thread + "-" + i;
      RowWrite write =
          RowWrite.put(
              Fixtures.row(key),
              Fixtures.cell(Fixtures.DATA, 1, value),
              Fixtures.cell(Fixtures.SPARSE, 1, "x"));
      Outcome<Void> outcome = store.write(List.of(write), durability).get(0);
      say(outcome instanceof Outcome.Done ? key : outcome.toString());
    }
  }

  private static synchronized void say(String text) {
    System.out.println(text);
    System.out.flush();
  }
}
