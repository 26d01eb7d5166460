package io.braid.batch.snapshot;

import org.apiguardian.api.API;

/**
 * How snapshots are made and imported. For each number, 0 means the value of {@link #DEFAULT}; no
 * number is negative.
 *
 * @param fileBytes a snapshot is closed when it reaches this size (algorithm 2, step 2)
 * @param memoryBytes the most that the open snapshots of one task hold together; beyond that the
 *     largest is closed
 * @param importers imports at one time
 */
@API(status = API.Status.EXPERIMENTAL)
public record SnapshotOptions(
    Algorithm algorithm, long fileBytes, long memoryBytes, int importers) {
  /** The standard algorithm; snapshots of 16 MiB, 64 MiB in memory, 4 imports at one time. */
  public static final SnapshotOptions DEFAULT =
      new SnapshotOptions(Algorithm.STANDARD, 16 << 20, 64 << 20, 4);

  public SnapshotOptions {
    // Fills in values that a request leaves out.
    algorithm = algorithm == null ? Algorithm.STANDARD : algorithm;
    fileBytes = fileBytes == 0 ? 16 << 20 : fileBytes;
    memoryBytes = memoryBytes == 0 ? 64 << 20 : memoryBytes;
    importers = importers == 0 ? 4 : importers;
    if (fileBytes < 1 || memoryBytes < 1 || importers < 1) {
      throw new IllegalArgumentException(
          "A snapshot has at least one byte, and at least one is imported at a time.");
    }
  }

  public SnapshotOptions by(Algorithm other) {
    return new SnapshotOptions(other, fileBytes, memoryBytes, importers);
  }
}
