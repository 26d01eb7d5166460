package io.braid.backup;

import io.braid.Braid;
import io.braid.backup.Backup.Contents;
import io.braid.backup.BackupManifest.FileEntry;
import io.braid.backup.IncrementManifest.Part;
import io.braid.changes.feed.Change;
import io.braid.changes.feed.ChangeBatch;
import io.braid.changes.feed.ChangeFeed;
import io.braid.changes.feed.ChangeLine;
import io.braid.changes.feed.ChangeLogs;
import io.braid.changes.feed.ChangesException;
import io.braid.changes.feed.Position;
import io.braid.core.cells.Families;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.TableSchema;
import io.braid.core.time.Lineage;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Makes increments, which bring a backup, or the previous increment, forward to a later timestamp.
 * For a table whose changes have been kept since, an increment holds the changes; for other tables,
 * all rows.
 */
final class Increment {
  private static final int BATCH = 1_000;

  private final Braid db;
  private final Path folder;
  private final Backup.Progress progress;
  private long lines;

  /**
   * @param folder where its files go
   */
  Increment(Braid db, Path folder, Backup.Progress progress) {
    this.db = db;
    this.folder = folder;
    this.progress = progress;
  }

  /**
   * The timestamp from which on the changes of a table are missing; empty if the whole table is.
   */
  interface Since {
    OptionalLong of(String table);
  }

  /** Returns the timestamps that the next increment has to begin with. */
  static Since since(Path base) throws IOException {
    if (IncrementManifest.isFirst(ManifestText.read(base))) {
      IncrementManifest manifest = IncrementManifest.read(base);
      Set<String> tables = manifest.tables().stream().map(Part::table).collect(Collectors.toSet());
      return table ->
          tables.contains(table) ? OptionalLong.of(manifest.timestamp()) : OptionalLong.empty();
    }
    Map<String, Long> resolved = BackupManifest.read(base).resolved();
    return table -> {
      Long at = resolved.get(table);
      return at == null ? OptionalLong.empty() : OptionalLong.of(at);
    };
  }

  /**
   * Writes all files but the manifest.
   *
   * @throws BraidException {@code BACKUP} when the base is not of this database, or does not name
   *     its database
   */
  IncrementManifest write(Path base) throws IOException {
    String lineage = Lineage.of(db.store(), db.loads().seams().random());
    BackupLineage.requireSame(base, lineage);
    Since since = since(base);
    try (Snapshot now = db.snapshot()) {
      return new IncrementManifest(
          lineage,
          CheckedCopy.sha256(base.resolve(ManifestText.NAME)),
          now.timestamp(),
          parts(now, since));
    } catch (ChangesException e) {
      throw new BraidException(ErrorCode.BACKUP, e.getMessage() + " Make a whole backup.", e);
    }
  }

  /**
   * Writes all files of a backup of rows but the manifest: every table as of one timestamp. The
   * timestamp is pinned until all is written, so that no collection in any process removes data
   * that is still read.
   */
  IncrementManifest writeRows() throws IOException {
    String lineage = Lineage.of(db.store(), db.loads().seams().random());
    try (Snapshot now = db.snapshot()) {
      BackupPins.removeDead(db);
      String pin = BackupPins.name(db, now.timestamp());
      db.transactions().pin(pin, now.timestamp());
      try {
        return new IncrementManifest(
            lineage,
            IncrementManifest.NOTHING,
            now.timestamp(),
            parts(now, table -> OptionalLong.empty()));
      } finally {
        db.transactions().unpin(pin);
      }
    }
  }

  private List<Part> parts(Snapshot now, Since since) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (TableSchema schema : db.store().tables()) {
      String table = schema.name();
      if (!table.startsWith("~") && isUsers(schema)) {
        parts.add(part(now, table, since.of(table), parts.size() + ".jsonl"));
      }
    }
    return parts;
  }

  /** The table of an index is none, even while it is being made or dropped. */
  private static boolean isUsers(TableSchema schema) {
    return schema.families().stream().anyMatch(family -> Families.isUsers(family.name()));
  }

  private Part part(Snapshot now, String table, OptionalLong since, String name)
      throws IOException {
    boolean feed = since.isPresent() && reaches(table, since.getAsLong());
    Path file = folder.resolve(name);
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Writer to =
            new BufferedWriter(
                new OutputStreamWriter(
                    Channels.newOutputStream(channel), StandardCharsets.UTF_8))) {
      if (feed) {
        changes(table, since.getAsLong(), now.timestamp(), to);
      } else {
        rows(now, table, to);
      }
      to.flush();
      channel.force(true);
    }
    FileEntry entry = new CheckedCopy(bytes -> progress.at("reading back", bytes)).read(file, name);
    return new Part(table, db.tables().families(table), db.tables().protocol(table), !feed, entry);
  }

  private boolean reaches(String table, long since) {
    return db.changes().list().stream()
        .filter(each -> each.table().equals(table))
        .anyMatch(each -> each.begin() <= since);
  }

  /** The changes above a timestamp and not above another. */
  private void changes(String table, long since, long until, Writer to) throws IOException {
    ChangeFeed feed = db.changes(table, Position.after(since));
    feed.catchUp();
    ChangeBatch batch;
    do {
      batch = feed.next(BATCH);
      if (batch.resolved() < until) {
        throw new BraidException(
            ErrorCode.BACKUP,
            "A transaction has been committing to table " + table + " for long: try again later.");
      }
      for (Change change : batch.changes()) {
        if (change.commit() <= until) {
          write(change, to);
        }
      }
    } while (batch.position().timestamp() <= until && !batch.isEnd());
  }

  /** All rows, as changes of the snapshot's timestamp. */
  private void rows(Snapshot now, String table, Writer to) throws IOException {
    Scan scan = Scan.of(table);
    for (String family : db.tables().families(table)) {
      scan = scan.family(family);
    }
    try (RowCursor rows = now.scan(scan)) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        write(new Change(row.row(), now.timestamp(), new TreeMap<>(row.values())), to);
      }
    }
  }

  private void write(Change change, Writer to) throws IOException {
    ChangeLine.write(ChangeLine.of(change, null), to);
    to.write('\n');
    if (++lines % BATCH == 0) {
      progress.at("writing changes of rows", lines);
    }
  }

  /** Returns the contents of a folder, after comparing its files with their checksums. */
  static Contents check(Path increment, Backup.Progress progress) throws IOException {
    IncrementManifest manifest = IncrementManifest.read(increment);
    CheckedCopy reads = new CheckedCopy(bytes -> progress.at("verifying", bytes));
    Map<String, Long> rows = new TreeMap<>();
    for (Part each : manifest.tables()) {
      Path file = increment.resolve(each.file().name());
      if (!Files.exists(file) || !reads.read(file, each.file().name()).equals(each.file())) {
        throw new BraidException(
            ErrorCode.BACKUP,
            "File " + each.file().name() + " of " + increment + " is damaged or missing.");
      }
      rows.put(each.table(), IncrementFile.changes(file, change -> {}));
    }
    return new Contents(manifest.timestamp(), manifest.bytes(), manifest.tables().size(), rows);
  }

  /** The feeds of a database, as far as nothing can come into them any more. */
  static Map<String, Long> resolved(Braid db) {
    return db.changes().list().stream()
        .collect(Collectors.toMap(ChangeLogs.Status::table, ChangeLogs.Status::resolved));
  }
}
