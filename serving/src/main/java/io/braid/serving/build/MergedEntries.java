package io.braid.serving.build;

import io.braid.core.data.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/** Sorted runs as one; of equal keys, those of the earlier run come first. */
final class MergedEntries implements Entries {
  private record Head(Entries entries, int run) implements Comparable<Head> {
    @Override
    public int compareTo(Head other) {
      int order = Long.compareUnsigned(entries.hash(), other.entries.hash());
      order = order != 0 ? order : entries.key().compareTo(other.entries.key());
      return order != 0 ? order : Integer.compare(run, other.run);
    }
  }

  private final List<Entries> all = new ArrayList<>();
  private final PriorityQueue<Head> heads = new PriorityQueue<>();
  private boolean begun;

  private MergedEntries() {}

  static MergedEntries of(List<RunFile> runs) throws IOException {
    MergedEntries merged = new MergedEntries();
    try {
      for (RunFile run : runs) {
        Entries entries = run.read();
        merged.all.add(entries);
        if (entries.next()) {
          merged.heads.add(new Head(entries, merged.all.size()));
        }
      }
      return merged;
    } catch (IOException | RuntimeException e) {
      merged.close();
      throw e;
    }
  }

  @Override
  public boolean next() throws IOException {
    if (begun) {
      Head head = heads.remove();
      if (head.entries.next()) {
        heads.add(head);
      }
    }
    begun = true;
    return !heads.isEmpty();
  }

  @Override
  public long hash() {
    return heads.element().entries.hash();
  }

  @Override
  public Bytes key() {
    return heads.element().entries.key();
  }

  @Override
  public Bytes value() {
    return heads.element().entries.value();
  }

  @Override
  public void close() throws IOException {
    for (Entries entries : all) {
      entries.close();
    }
  }
}
