package io.braid.lab.model;

import io.braid.Braid;
import io.braid.backup.Backup;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.store.TableSchema;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import io.braid.percolator.garbage.CollectionRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Works on a database in a thread of its own, and changes nothing that a program could see. The
 * thread collects garbage, scans, makes backups and lists groups. The program must get the same
 * results as if it were alone.
 */
final class Disturber implements AutoCloseable {
  private static final int LONGEST_PAUSE_MILLIS = 20;

  /** The exceptions that the program may cause here: tables go, groups go. */
  private static final Set<String> EXPECTED =
      Set.of(
          "UnknownTableException",
          "TableReplacedException",
          "GroupException",
          "GroupGoneException");

  private final Braid db;
  private final Path directory;
  private final Random random;
  private final Thread thread;
  private volatile boolean ended;
  private volatile @Nullable Throwable failure;
  private int backups;

  /**
   * @param directory for its backups
   */
  Disturber(Braid db, Path directory, long seed) {
    this.db = db;
    this.directory = directory;
    this.random = new Random(seed);
    this.thread = new Thread(this::work, "disturber");
    thread.start();
  }

  private void work() {
    try {
      while (!ended) {
        disturb();
        Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
  }

  private void disturb() throws IOException {
    try {
      switch (random.nextInt(8)) {
        case 0 -> backup();
        case 1, 2 -> db.groups().list();
        case 3, 4, 5 -> scan();
        default ->
            db.operations()
                .collector()
                .collect(CollectionRequest.keep(Duration.ofDays(1)), each -> {}, () -> ended);
      }
    } catch (RuntimeException e) {
      if (!isExpected(e)) {
        throw e;
      }
    }
  }

  private static boolean isExpected(RuntimeException e) {
    return EXPECTED.contains(e.getClass().getSimpleName())
        || (e instanceof TransactionException refusal
            && refusal.code() == ErrorCode.SNAPSHOT_TOO_OLD);
  }

  private void backup() throws IOException {
    Path to = directory.resolve("disturbing-" + ++backups);
    new Backup((step, bytes) -> {}).create(db, to);
    DurableFiles.deleteTree(to);
  }

  private void scan() {
    try (Snapshot now = db.snapshot()) {
      for (TableSchema table : db.store().tables()) {
        if (!table.name().startsWith("~")) {
          try (RowCursor rows = now.scan(Scan.of(table.name()).family("f").family("g"))) {
            while (rows.hasNext()) {
              rows.next();
            }
          }
        }
      }
    }
  }

  /**
   * Ends it.
   *
   * @throws AssertionError when it failed in a way that no program explains
   */
  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Throwable why = failure;
    if (why != null) {
      throw new AssertionError("What works beside the program failed: " + why, why);
    }
  }
}
