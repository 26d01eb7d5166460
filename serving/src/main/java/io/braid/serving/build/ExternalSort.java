package io.braid.serving.build;

import io.braid.core.data.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorts any number of tuples by hash, key and arrival in bounded memory: what does not fit goes to
 * disk in sorted runs, which are merged. The order does not depend on the bound.
 */
final class ExternalSort implements AutoCloseable {
  /** The most runs that are merged at a time. */
  private static final int FAN_IN = 256;

  private final Path scratch;
  private final EntryArena arena;
  private final List<RunFile> runs = new ArrayList<>();
  private int written;
  private long bytes;

  ExternalSort(Path scratch, int memory) throws IOException {
    this.scratch = Files.createDirectories(scratch);
    this.arena = new EntryArena(memory);
  }

  void add(long hash, Bytes key, Bytes value) throws IOException {
    bytes += key.length() + (long) value.length();
    if (arena.add(hash, key, value)) {
      return;
    }
    spill();
    if (!arena.add(hash, key, value)) {
      runs.add(RunFile.write(next(), new SingleEntry(hash, key, value)));
    }
  }

  /** Bytes of keys and values that were added. */
  long bytes() {
    return bytes;
  }

  /** Everything, in order, as often as it is asked for. Nothing is added any more. */
  Entries sorted() throws IOException {
    if (runs.isEmpty()) {
      return arena.sorted();
    }
    spill();
    while (runs.size() > FAN_IN) {
      List<RunFile> first = runs.subList(0, FAN_IN);
      RunFile merged;
      try (Entries entries = MergedEntries.of(first)) {
        merged = RunFile.write(next(), entries);
      }
      for (RunFile run : first) {
        run.delete();
      }
      first.clear();
      runs.add(0, merged);
    }
    return MergedEntries.of(runs);
  }

  private void spill() throws IOException {
    if (!arena.isEmpty()) {
      runs.add(RunFile.write(next(), arena.sorted()));
      arena.clear();
    }
  }

  private Path next() {
    return scratch.resolve("run-" + written++);
  }

  @Override
  public void close() throws IOException {
    for (int i = 0; i < written; i++) {
      Files.deleteIfExists(scratch.resolve("run-" + i));
    }
    Files.deleteIfExists(scratch);
  }
}
