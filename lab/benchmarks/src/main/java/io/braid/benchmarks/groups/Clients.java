package io.braid.benchmarks.groups;

import com.sun.management.OperatingSystemMXBean;
import io.braid.core.store.StoreException;
import io.braid.groups.GroupCreationException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/** Clients at work, one thread each. */
final class Clients {
  private static final OperatingSystemMXBean PROCESSES =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** The work that a client repeats, usually one life of a group. */
  interface Work {
    void live(Samples samples, SplittableRandom random);
  }

  private Clients() {}

  /** Repeats the work for a while, at least once per client. */
  static Samples run(int clients, double seconds, long seed, Work work) {
    long begin = System.nanoTime();
    long processor = PROCESSES.getProcessCpuTime();
    long end = begin + (long) (seconds * 1e9);
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    List<Samples> all = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int c = 0; c < clients; c++) {
      SplittableRandom random = seeds.split();
      Samples samples = new Samples();
      all.add(samples);
      Thread thread =
          new Thread(
              () -> {
                do {
                  live(work, samples, random, failure);
                } while (System.nanoTime() < end && failure.get() == null);
              });
      threads.add(thread);
      thread.start();
    }
    threads.forEach(Clients::join);
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    Samples merged = new Samples();
    all.forEach(merged::merge);
    merged.took(
        (System.nanoTime() - begin) / 1e9, (PROCESSES.getProcessCpuTime() - processor) / 1e9);
    return merged;
  }

  private static void live(
      Work work,
      Samples samples,
      SplittableRandom random,
      AtomicReference<RuntimeException> failure) {
    try {
      work.live(samples, random);
    } catch (GroupCreationException e) {
      // The leader key was taken, which is a valid answer like any other.
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while clients were at work.", e);
    }
  }
}
