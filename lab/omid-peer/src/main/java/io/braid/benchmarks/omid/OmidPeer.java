package io.braid.benchmarks.omid;

import io.braid.benchmarks.omid.Operations.Operation;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Executes commands from its standard input, one line for each measurement. Each answer is a line
 * that begins with an equals sign. This protocol lets slices of Omid and of Braid take turns, each
 * in a process of its own.
 *
 * <ul>
 *   <li>{@code load ROWS}
 *   <li>{@code latency OPERATION MILLIS}: the median of one thread in microseconds
 *   <li>{@code throughput OPERATION THREADS MILLIS}: operations a second
 *   <li>{@code begins CLIENTS OUTSTANDING MILLIS}, and {@code commits}: requests to the manager a
 *       second
 * </ul>
 */
public final class OmidPeer {
  private static final int MOST = 1 << 20;

  private final String manager;
  private final Operations operations;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final long[] nanos = new long[MOST];

  private OmidPeer(String manager, Operations operations) {
    this.manager = manager;
    this.operations = operations;
  }

  /**
   * @param arguments the host and the port of Omid's manager, and the table
   */
  public static void main(String[] arguments) throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Operations operations = new Operations(arguments[0], arguments[1])) {
      OmidPeer peer = new OmidPeer(arguments[0], operations);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        System.out.println("= " + peer.answer(line.split(" ")));
        System.out.flush();
      }
    }
    System.exit(0);
  }

  private double answer(String[] words) throws Exception {
    switch (words[0]) {
      case "load":
        operations.load(Integer.parseInt(words[1]));
        return 0;
      case "latency":
        return latency(operations.of(words[1]), Long.parseLong(words[2]));
      case "throughput":
        return throughput(
            operations.of(words[1]), Integer.parseInt(words[2]), Long.parseLong(words[3]));
      case "begins":
        return requests(words).begins(Long.parseLong(words[3]));
      case "commits":
        return requests(words).commits(Long.parseLong(words[3]));
      default:
        throw new IllegalArgumentException("Nothing is known of " + words[0] + ".");
    }
  }

  private Requests requests(String[] words) {
    return new Requests(manager, Integer.parseInt(words[1]), Integer.parseInt(words[2]));
  }

  private double latency(Operation operation, long millis) throws Exception {
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    long end = System.nanoTime() + millis * 1_000_000;
    int count = 0;
    for (long begin = System.nanoTime(); begin < end && count < MOST; ) {
      operation.run(random);
      long now = System.nanoTime();
      nanos[count++] = now - begin;
      begin = now;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[count / 2] / 1e3;
  }

  /**
   * Measures throughput. The threads persist, because each has its own connection to Omid's tables.
   */
  private double throughput(Operation operation, int count, long millis) throws Exception {
    long begin = System.nanoTime();
    long end = begin + millis * 1_000_000;
    List<Future<Long>> counts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SplittableRandom random = new SplittableRandom(begin + i);
      counts.add(
          threads.submit(
              () -> {
                long done = 0;
                while (System.nanoTime() < end) {
                  operation.run(random);
                  done++;
                }
                return done;
              }));
    }
    long sum = 0;
    for (Future<Long> each : counts) {
      sum += each.get();
    }
    return sum * 1e9 / (System.nanoTime() - begin);
  }
}
