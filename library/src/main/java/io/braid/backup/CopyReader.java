package io.braid.backup;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.backup.Backup.Contents;
import io.braid.backup.Backup.Progress;
import io.braid.core.store.TableSchema;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads all rows of a copy, which shows that it can be read, and counts them. */
final class CopyReader {
  private final Progress progress;

  CopyReader(Progress progress) {
    this.progress = progress;
  }

  /** Returns the configuration for opening a copy: no background work, and little memory. */
  static BraidConfig quiet() {
    return BraidConfig.defaults()
        .with(Setting.GC_INTERVAL, "off")
        .with(Setting.STORE_MEMORY, "64 MiB");
  }

  /** The tables of users. */
  static List<String> tables(Braid db) {
    return db.store().tables().stream()
        .map(TableSchema::name)
        .filter(name -> !name.startsWith("~"))
        .toList();
  }

  /** Returns the contents of a directory that was made of the files of a backup. */
  Contents contents(Path directory, BackupManifest manifest) {
    // The log of key groups is not in the copy, so they cannot be taken up here.
    try (Braid copy = Braid.open(directory, quiet().with(Setting.GROUPS, "0"))) {
      return new Contents(
          manifest.timestamp(), manifest.bytes(), manifest.files().size(), rows(copy));
    }
  }

  /** How many rows each table has. */
  Map<String, Long> rows(Braid db) {
    Map<String, Long> rows = new TreeMap<>();
    tables(db).forEach(table -> rows.put(table, count(db, table)));
    return rows;
  }

  private long count(Braid db, String table) {
    Scan scan = Scan.of(table);
    for (String family : db.tables().families(table)) {
      scan = scan.family(family);
    }
    long rows = 0;
    try (Snapshot now = db.snapshot();
        RowCursor cursor = now.scan(scan)) {
      while (cursor.hasNext()) {
        cursor.next();
        rows++;
        if (rows % 10_000 == 0) {
          progress.at("reading rows", rows);
        }
      }
    }
    return rows;
  }
}
