package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.server.coordination.Coordination;
import io.braid.testkit.history.HistoryEntry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Processes of a test that can be stopped and killed: coordinators, servers of ZooKeeper. */
final class RealProcesses implements AutoCloseable {
  static final String ROOT = "/braid/test";

  private final List<Process> started = new ArrayList<>();
  private final List<Child> children = new ArrayList<>();
  private final Queue<Received> received = new ConcurrentLinkedQueue<>();

  /** A timestamp, and between which instants it was drawn. */
  private record Received(Child by, long asked, long timestamp, long answered) {}

  /** One that may become the coordinator, and takes timestamps all the time. */
  final class Child {
    private final Process process;
    volatile String token = "";
    private volatile long count;

    private Child(String servers) {
      process = java(TimestampProcess.class.getName(), servers, ROOT);
      Thread reader = new Thread(this::read, "reader");
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          String[] words = line.split(" ");
          if (words[0].equals("token")) {
            token = words[1];
          } else if (words.length == 3 && !words[0].equals("none")) {
            received.add(
                new Received(
                    this,
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2])));
            count++;
          }
        }
      } catch (IOException e) {
        // It was killed.
      }
    }

    void signal(String name) {
      try {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    void awaitMore() {
      long before = count;
      until(() -> count > before + 20);
    }
  }

  Child child(String servers) {
    Child child = new Child(servers);
    children.add(child);
    return child;
  }

  List<Child> children() {
    return children;
  }

  Process java(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      started.add(process);
      return process;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static void until(BooleanSupplier condition) {
    try {
      while (!condition.getAsBoolean()) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("Waited too long.", e);
    }
  }

  /** The longest time in which nothing committed. */
  static Duration longestPause(List<HistoryEntry> history) {
    long[] ends =
        history.stream()
            .filter(entry -> entry.type() == HistoryEntry.Type.OK)
            .mapToLong(HistoryEntry::end)
            .sorted()
            .toArray();
    long longest = 0;
    for (int i = 1; i < ends.length; i++) {
      longest = Math.max(longest, ends[i] - ends[i - 1]);
    }
    System.out.println("longest pause " + longest / 1_000_000 + " ms");
    return Duration.ofNanos(longest);
  }

  Child coordinator(Coordination watching) {
    String holder =
        LeaseRecord.decode(watching.register(Coordinator.REGISTER).read().value()).holder();
    return children.stream().filter(child -> child.token.equals(holder)).findFirst().orElseThrow();
  }

  List<Child> others(Child than) {
    return children.stream().filter(child -> child != than).toList();
  }

  /** Whoever asked after somebody had got an answer, got a higher one. */
  void assertOrdered() {
    List<Received> byAsked = new ArrayList<>(received);
    List<Received> byAnswered = new ArrayList<>(received);
    byAsked.sort(Comparator.comparingLong(Received::asked));
    byAnswered.sort(Comparator.comparingLong(Received::answered));
    long highest = 0;
    int next = 0;
    for (Received each : byAsked) {
      while (byAnswered.get(next).answered() < each.asked()) {
        highest = Math.max(highest, byAnswered.get(next++).timestamp());
      }
      assertThat(each.timestamp()).isGreaterThan(highest);
    }
    assertThat(byAsked.stream().map(Received::timestamp).distinct()).hasSize(byAsked.size());
  }

  @Override
  public void close() {
    started.forEach(Process::destroyForcibly);
  }
}
