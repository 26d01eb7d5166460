package io.braid.groups.leader;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Decoder;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.rows.ChangeRecord;
import io.braid.groups.rows.GroupRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The records of groups in the store. */
final class Records {
  private static final int ATTEMPTS = 8;

  private final CellStore store;
  private final Seams seams;
  private final Durability durability;

  Records(CellStore store, Seams seams, Durability durability) {
    this.store = store;
    this.seams = seams;
    this.durability = durability;
  }

  /**
   * Creates a record. Returns false when there is a group of that name. The group counts once its
   * record says that it is live.
   */
  boolean create(GroupRecord record, List<Row> members) {
    return change(
        new ChangeRecord.Request(record.name(), record.number(), 0, record.encode(), members),
        durability.ofPreceding());
  }

  /** False when another leads the group by now. */
  boolean change(GroupRecord before, GroupRecord after) {
    return change(
        new ChangeRecord.Request(
            before.name(), before.number(), before.epoch(), after.encode(), List.of()));
  }

  /** As {@link #change(GroupRecord, GroupRecord)}, with a new list of members. */
  boolean change(GroupRecord before, GroupRecord after, List<Row> members) {
    return change(
        new ChangeRecord.Request(
            before.name(), before.number(), before.epoch(), after.encode(), members));
  }

  /**
   * Removes a record. If a machine failure undoes the removal, the process that finds the group
   * being deleted repeats it.
   */
  boolean remove(GroupRecord record) {
    return change(
        new ChangeRecord.Request(
            record.name(), record.number(), record.epoch(), Bytes.EMPTY, List.of()),
        Durability.BUFFERED);
  }

  private boolean change(ChangeRecord.Request request) {
    return change(request, durability);
  }

  private boolean change(ChangeRecord.Request request, Durability asked) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(2), Duration.ofMillis(500));
    for (int attempt = 1; ; attempt++) {
      Outcome<Boolean> outcome = store.execute(ChangeRecord.INSTANCE, request, asked);
      if (outcome instanceof Outcome.Done<Boolean> done) {
        return done.result();
      }
      if (attempt == ATTEMPTS || !backoff.pause()) {
        throw new TabletUnavailableException(
            "The record of group '" + request.name() + "' could not be changed: " + outcome);
      }
    }
  }

  Optional<GroupRecord> find(String name) {
    RowCells row = store.read(RowRead.of(Hold.record(name), Selection.column(Hold.recordColumn())));
    return row.isEmpty()
        ? Optional.empty()
        : Optional.of(GroupRecord.decode(row.cells().get(0).value()));
  }

  /** Whether the group of a hold is still there. */
  boolean isThere(Hold hold) {
    return find(hold.group()).filter(r -> r.number() == hold.number()).isPresent();
  }

  List<Row> members(String name) {
    RowCells row =
        store.read(RowRead.of(Hold.record(name), Selection.column(ChangeRecord.MEMBERS)));
    return row.isEmpty()
        ? List.of()
        : Lists.decode(new Decoder(row.cells().get(0).value()), Decoder::row);
  }

  List<GroupRecord> all() {
    List<GroupRecord> records = new ArrayList<>();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE,
            KeyRange.prefix(Hold.record("").key()),
            Selection.column(Hold.recordColumn()));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.cells()) {
          records.add(GroupRecord.decode(cell.value()));
        }
      }
    }
    return records;
  }
}
