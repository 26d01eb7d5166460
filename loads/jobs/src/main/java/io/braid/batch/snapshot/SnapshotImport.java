package io.braid.batch.snapshot;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.Parallel;
import io.braid.batch.Workers;
import io.braid.batch.sink.RecordWriter;
import io.braid.core.data.KeyRange;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.Task;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of one round of a load, and their import (algorithm 2). Its directory holds the
 * snapshots of tasks, and a log. The log lists the snapshots that each ended task has written, and
 * the imported ones.
 *
 * <p>Interrupted work is done again: snapshots of tasks that did not end are removed. Snapshots of
 * the other tasks are imported, unless the log says that they are. A repeated import changes
 * nothing.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class SnapshotImport {
  private static final int STORE_ATTEMPTS = 20;
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final LoadContext context;
  private final Path directory;
  private final String table;
  private final long version;
  private final SnapshotOptions options;
  private final SnapshotLog log;
  private final List<KeyRange> tablets;
  private final Arrivals arrivals;
  private final Senders senders;
  private final List<Task> receivers = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final AtomicLong snapshots = new AtomicLong();
  private final AtomicLong imports = new AtomicLong();
  private final AtomicInteger largestMerge = new AtomicInteger();
  private final AtomicLong firstImport = new AtomicLong(-1);
  private final AtomicInteger files = new AtomicInteger();
  private final Map<Integer, AtomicInteger> numbers = new ConcurrentHashMap<>();
  private final ImportPace pace;
  private final long begun;

  /**
   * @param directory of the round
   * @param version the start timestamp of the load, over which a veil lies
   * @param done tasks that left a checkpoint
   * @param share of the work after reading in the whole load, as expected
   * @throws JobException when snapshots of these are missing
   */
  public SnapshotImport(
      LoadContext context,
      Path directory,
      String table,
      long version,
      SnapshotOptions options,
      Set<Integer> done,
      double share)
      throws IOException {
    this.context = context;
    this.directory = directory.resolve("snapshots");
    this.table = table;
    this.version = version;
    this.options = options;
    DurableFiles.createDirectories(this.directory);
    this.begun = context.seams().nanoTime();
    this.log = new SnapshotLog(directory);
    this.tablets = new RoundTablets(directory).of(context.store(), table);
    this.arrivals = new Arrivals(context.seams(), options.algorithm());
    this.pace =
        new ImportPace(
            share,
            options.algorithm() == Algorithm.HADOOP_SORT,
            Math.min(options.importers(), Runtime.getRuntime().availableProcessors()));
    takeUp(done);
    this.senders =
        new Senders(
            context.seams(),
            this.directory,
            table,
            options.algorithm() != Algorithm.IMPORT_SORT,
            options.importers(),
            this::arrived);
    for (int i = 0; i < options.importers(); i++) {
      receivers.add(context.seams().start("braid-load-receiver-" + i, this::receive));
    }
  }

  /** Finds the files of an earlier run. */
  private void takeUp(Set<Integer> done) throws IOException {
    Set<String> wanted = log.written(done);
    Set<String> imported = log.imported();
    Stream.concat(wanted.stream(), imported.stream())
        .flatMap(name -> SnapshotName.parse(name).stream())
        .forEach(
            name ->
                numbers
                    .computeIfAbsent(name.task(), t -> new AtomicInteger())
                    .accumulateAndGet(name.number(), Math::max));
    wanted.removeAll(imported);
    Set<String> kept = log.written(done);
    Set<String> found = new HashSet<>();
    for (Path file : list()) {
      String name = String.valueOf(file.getFileName());
      if (wanted.contains(name)) {
        found.add(name);
        pace.found(Files.size(file));
        SnapshotName.parse(name).ifPresent(arrivals::add);
      } else if (!kept.contains(name)) {
        // Imports of a run that was interrupted in this process may yet be coming to their end.
        Files.deleteIfExists(file);
      }
    }
    if (!found.containsAll(wanted)) {
      wanted.removeAll(found);
      throw new JobException(
          "Snapshots of tasks that are done are missing in "
              + directory
              + ": "
              + wanted
              + ". Cancel the job and load again.");
    }
  }

  private List<Path> list() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.sorted().toList();
    }
  }

  String table() {
    return table;
  }

  SnapshotOptions options() {
    return options;
  }

  /**
   * Returns the next number. Numbers are not used again, since imported snapshots are known by
   * their names.
   */
  int nextNumber(int task) {
    return numbers.computeIfAbsent(task, t -> new AtomicInteger()).incrementAndGet();
  }

  /** Returns the writer for the records of a task. */
  public RecordWriter writer(int task, int file) {
    return new TaskSnapshots(this, tablets, task, file);
  }

  void send(SnapshotDelivery snapshot) {
    rethrow();
    senders.send(snapshot);
  }

  private void arrived(SnapshotName name, long length) {
    snapshots.incrementAndGet();
    pace.arrived(length);
    arrivals.add(name);
  }

  /** A task has sent all its snapshots: waits until they are on the disk, and notes it. */
  void finished(int task, List<SnapshotName> sent) throws IOException {
    senders.await(sent);
    log.wrote(task, sent.stream().map(SnapshotName::file).toList());
  }

  /** The seconds that the imports are expected to take when all is read: {@code ImportPace}. */
  public double after(double read, double reading) {
    return pace.after(read, reading);
  }

  /** Watches the imports that are left when all is read. */
  public interface Watcher {
    /**
     * @param done the imported share of the snapshots that are there
     * @param left seconds
     */
    void at(double done, double left);
  }

  /** Waits until everything is imported. */
  void finish() {
    finish(0, (done, left) -> {});
  }

  /**
   * Waits until everything is imported.
   *
   * @param expected seconds that the import was expected to take
   * @param watcher receives the progress now and then
   * @throws StoreException when the thread was interrupted: which snapshots are imported is not
   *     known then
   */
  public void finish(double expected, Watcher watcher) {
    senders.close();
    arrivals.complete();
    long from = context.seams().nanoTime();
    boolean ended =
        Workers.haveEnded(
            receivers,
            () -> {
              double passed = (context.seams().nanoTime() - from) / 1e9;
              watcher.at(pace.done(), pace.left(expected, passed));
            });
    rethrow();
    if (!ended) {
      throw new StoreException("The load was interrupted: resume it.");
    }
  }

  /** Begins no more imports; running imports come to their end. */
  public void abandon() {
    senders.close();
    arrivals.close();
    Workers.haveEnded(receivers);
  }

  private void rethrow() {
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw Parallel.unchecked(thrown);
    }
  }

  private void receive() {
    String last = null;
    try {
      for (List<SnapshotName> next = arrivals.take(last);
          next != null;
          next = arrivals.take(last)) {
        take(next);
        last = next.get(0).tablet();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      arrivals.close();
    }
  }

  private void take(List<SnapshotName> names) throws IOException {
    Backoff backoff = new Backoff(context.seams(), PAUSE, LONGEST_PAUSE);
    while (true) {
      try {
        importOnce(names);
        return;
      } catch (TabletUnavailableException e) {
        if (backoff.pauses() >= STORE_ATTEMPTS || !backoff.pause()) {
          throw e;
        }
      }
    }
  }

  private void importOnce(List<SnapshotName> names) throws IOException {
    List<Path> merged = names.stream().map(name -> directory.resolve(name.file())).toList();
    boolean sorted = options.algorithm() != Algorithm.IMPORT_SORT;
    Path prefix =
        directory.resolve(
            "import-"
                + context.seams().random().nextLong(1L << 40)
                + "-"
                + files.incrementAndGet());
    long began = context.seams().nanoTime();
    long duplicates;
    Map<String, List<Path>> made;
    try (Merge merge = new Merge(merged, table, sorted);
        SortedCells cells = new SortedCells(context.store(), table, version, prefix)) {
      for (SnapshotRecord record = merge.next(); record != null; record = merge.next()) {
        cells.add(record);
      }
      duplicates = merge.duplicates();
      made = cells.finish();
    }
    made.forEach((family, paths) -> context.store().ingest(table, family, paths));
    log.took(names.stream().map(SnapshotName::file).toList(), duplicates);
    imports.incrementAndGet();
    largestMerge.accumulateAndGet(names.size(), Math::max);
    long bytes = 0;
    for (Path snapshot : merged) {
      bytes += Files.size(snapshot);
    }
    pace.imported(bytes, context.seams().nanoTime() - began);
    firstImport.compareAndSet(-1, context.seams().nanoTime() - begun);
  }

  /** Returns the result of the imports; complete once they are finished. */
  public ImportReport report() throws IOException {
    return new ImportReport(
        options.algorithm().text(),
        snapshots.get(),
        imports.get(),
        largestMerge.get(),
        firstImport.get() < 0 ? -1 : firstImport.get() / 1e6,
        context.store().takeLongestPause() / 1e6,
        log.duplicates());
  }

  /** Records of a round that were left out because a later one had their key. */
  public static long duplicates(Path round) throws IOException {
    return new SnapshotLog(round).duplicates();
  }
}
