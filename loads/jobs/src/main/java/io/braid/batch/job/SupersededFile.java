package io.braid.batch.job;

import io.braid.core.runtime.DurableFiles;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The file of a round that lists the records that later records with the same key supersede. */
record SupersededFile(Path file) {
  private static final int ENTRY = 12;

  void write(List<KeyCensus.Position> positions) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      for (KeyCensus.Position each : positions) {
        out.writeInt(each.file());
        out.writeLong(each.offset());
      }
    }
    DurableFiles.sync(file);
  }

  /** The offsets of those that a task will meet. */
  Set<Long> of(InputTask task) throws IOException {
    Set<Long> offsets = new HashSet<>();
    if (!Files.exists(file)) {
      return offsets;
    }
    long count = Files.size(file) / ENTRY;
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      for (long i = 0; i < count; i++) {
        int number = in.readInt();
        long offset = in.readLong();
        if (number == task.file() && offset >= task.from() && offset < task.to()) {
          offsets.add(offset);
        }
      }
    }
    return offsets;
  }
}
