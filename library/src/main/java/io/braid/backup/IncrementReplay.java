package io.braid.backup;

import io.braid.Braid;
import io.braid.backup.IncrementManifest.Part;
import io.braid.changes.feed.Change;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.indexes.DuplicateValueException;
import io.braid.indexes.Index;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a restored database forward by an increment. Changes are applied in the order of their
 * timestamps, so that a part that the backup had already ends in the same.
 */
final class IncrementReplay {
  private static final Logger LOG = LoggerFactory.getLogger(IncrementReplay.class);

  /** The most bytes in a transaction: a row of very many columns takes several transactions. */
  private static final long BATCH_BYTES = 4L << 20;

  /** The bytes counted for a column beside its own. */
  private static final int EACH = 128;

  private final Braid db;
  private final Backup.Progress progress;
  private final long most;
  private final List<Write> batch = new ArrayList<>();
  private long batched;
  private long applied;

  IncrementReplay(Braid db, Backup.Progress progress) {
    this(db, progress, BATCH_BYTES);
  }

  IncrementReplay(Braid db, Backup.Progress progress, long most) {
    this.db = db;
    this.progress = progress;
    this.most = most;
  }

  /**
   * Drops the indexes, because they may refuse a replayed change. Changes that the copy already has
   * are written once more, and the source may have dropped an index since.
   *
   * @return those that were ready
   */
  List<Index> dropIndexes() {
    List<Index> all = db.indexes().all();
    all.forEach(index -> db.indexes().drop(index.name()));
    return all.stream().filter(Index::ready).toList();
  }

  /**
   * Creates indexes again, except those that are no longer possible: the source had dropped them.
   */
  void createIndexes(List<Index> indexes) {
    for (Index each : indexes) {
      try {
        db.indexes()
            .create(
                each.name(),
                each.table(),
                each.column(),
                each.kind(),
                seen -> progress.at("indexing rows", seen));
      } catch (DuplicateValueException | IllegalArgumentException e) {
        LOG.info("Index {} is not created again: {}", each.name(), e.getMessage());
      }
    }
  }

  /** Applies an increment as far as it was committed at or before a moment. */
  void apply(Path increment, RestoreMoment moment) throws IOException {
    IncrementManifest manifest = IncrementManifest.read(increment);
    try {
      Set<String> kept = manifest.tables().stream().map(Part::table).collect(Collectors.toSet());
      for (String table : others(kept)) {
        moment.requireKept(increment, table);
        db.dropTable(table);
      }
      for (Part each : manifest.tables()) {
        prepare(each);
        replay(increment.resolve(each.file().name()), moment);
      }
    } catch (KeyHeldByGroupException e) {
      throw new BraidException(
          ErrorCode.BACKUP, "A key group holds a row of the backup: " + e.getMessage(), e);
    }
  }

  private List<String> others(Set<String> kept) {
    return CopyReader.tables(db).stream().filter(table -> !kept.contains(table)).toList();
  }

  private void prepare(Part part) throws IOException {
    String table = part.table();
    String[] families = part.families().toArray(String[]::new);
    if (db.store().table(table).isEmpty()) {
      db.ensureTable(table, part.protocol(), families);
    } else {
      db.ensureTable(table, families);
      if (db.tables().protocol(table) != part.protocol()) {
        db.tables().switchProtocol(table, part.protocol());
      }
      if (part.whole()) {
        empty(table);
      }
    }
  }

  private void empty(String table) {
    Scan scan = Scan.of(table);
    for (String family : db.tables().families(table)) {
      scan = scan.family(family);
    }
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(scan)) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        TreeMap<ColumnName, @Nullable Bytes> nothing = new TreeMap<>();
        row.values().keySet().forEach(column -> nothing.put(column, null));
        add(new Change(row.row(), now.timestamp(), nothing));
      }
    }
    write();
  }

  private void replay(Path file, RestoreMoment moment) throws IOException {
    IncrementFile.changes(
        file,
        change -> {
          if (change.commit() <= moment.timestamp()) {
            add(change);
          }
        });
    write();
  }

  private void add(Change change) {
    change.columns().forEach((column, value) -> add(new Write(change.row(), column, value)));
    applied++;
  }

  private void add(Write write) {
    if (batched > 0 && batched + write.bytes() > most) {
      write();
    }
    batch.add(write);
    batched += write.bytes();
  }

  /** Applies a batch in one transaction; there are no readers in between. */
  private void write() {
    if (batch.isEmpty()) {
      return;
    }
    db.run(
        tx -> {
          batch.forEach(each -> each.in(tx));
          return batch.size();
        });
    batch.clear();
    batched = 0;
    progress.at("applying changes of rows", applied);
  }

  /**
   * One column of one row.
   *
   * @param value null to delete it
   */
  private record Write(Row row, ColumnName name, @Nullable Bytes value) {
    /** Returns about how many bytes a transaction keeps of the write. */
    long bytes() {
      return EACH
          + row.key().length()
          + name.qualifier().length()
          + (value == null ? 0 : value.length());
    }

    void in(Transaction tx) {
      Column<Bytes> column = new Column<>(name, Codecs.bytes());
      if (value == null) {
        tx.delete(row, column);
      } else {
        tx.set(row, column, value);
      }
    }
  }
}
