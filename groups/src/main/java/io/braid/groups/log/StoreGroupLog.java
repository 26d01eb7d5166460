package io.braid.groups.log;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A log in the store itself: rows {@code group-log/NUMBER/POSITION} of Braid's own table. It needs
 * nothing but the store, outlives the process and its machine, and can be read by whoever takes a
 * group over.
 */
public final class StoreGroupLog implements GroupLog {
  private static final String PREFIX = "group-log/";
  private static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "entry");
  private static final long VERSION = 1;
  private static final int ATTEMPTS = 30;

  private final CellStore store;
  private final Durability durability;
  private final Seams seams;
  private final GroupCommit commits;
  private final Map<Long, Long> removedUpTo = new HashMap<>();

  public StoreGroupLog(CellStore store, Durability durability, Seams seams) {
    this.store = store;
    this.durability = durability;
    this.seams = seams;
    this.commits = new GroupCommit(seams, this::write);
  }

  @Override
  public Ticket append(LogEntry entry) {
    return new Ticket(0, commits.append(entry));
  }

  @Override
  public void force(Ticket ticket) {
    commits.force(ticket.number());
  }

  private void write(List<LogEntry> batch) {
    List<RowWrite> writes = new ArrayList<>(batch.size());
    for (LogEntry entry : batch) {
      Encoder to = new Encoder(entry.size());
      entry.encode(to);
      writes.add(
          RowWrite.put(
              row(entry.group(), entry.position()), new Cell(COLUMN, VERSION, to.finish())));
    }
    if (!tryToWrite(writes)) {
      throw new LogBrokenException("The store does not take the log of the groups.", null);
    }
  }

  /** Blind writes of fixed rows: they may be repeated. */
  private boolean tryToWrite(List<RowWrite> writes) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(5), Duration.ofMillis(500));
    List<RowWrite> open = writes;
    for (int attempt = 1; !open.isEmpty(); attempt++) {
      List<RowWrite> again = new ArrayList<>();
      List<Outcome<Void>> outcomes = store.write(open, durability);
      for (int i = 0; i < open.size(); i++) {
        if (!(outcomes.get(i) instanceof Outcome.Done<Void>)) {
          again.add(open.get(i));
        }
      }
      open = again;
      if (!open.isEmpty() && (attempt == ATTEMPTS || !backoff.pause())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Map<Long, List<LogEntry>> recover() {
    Map<Long, List<LogEntry>> entries = new LinkedHashMap<>();
    KeyRange range = KeyRange.prefix(Bytes.of(PREFIX));
    try (RowScanner scanner =
        store.scan(ScanRequest.of(Families.SYSTEM_TABLE, range, Selection.column(COLUMN)))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        LogEntry entry = LogEntry.decode(new Decoder(row.cells().get(0).value()));
        entries.computeIfAbsent(entry.group(), group -> new ArrayList<>()).add(entry);
      }
    }
    return withoutGaps(entries);
  }

  /** A batch that was not acknowledged may be there in parts: what follows a gap was not either. */
  private static Map<Long, List<LogEntry>> withoutGaps(Map<Long, List<LogEntry>> entries) {
    Map<Long, List<LogEntry>> whole = new LinkedHashMap<>();
    entries.forEach(
        (group, all) -> {
          int end = 1;
          while (end < all.size() && all.get(end).position() == all.get(end - 1).position() + 1) {
            end++;
          }
          whole.put(group, List.copyOf(all.subList(0, end)));
        });
    return whole;
  }

  @Override
  public void shipped(long group, long position) {
    long from;
    synchronized (removedUpTo) {
      from = removedUpTo.getOrDefault(group, 0L);
      removedUpTo.put(group, Math.max(from, position));
    }
    List<RowWrite> removals = new ArrayList<>();
    for (long at = Math.max(from, position - 10_000) + 1; at <= position; at++) {
      removals.add(RowWrite.remove(row(group, at), COLUMN, VERSION));
    }
    if (!removals.isEmpty()) {
      store.write(removals, Durability.BUFFERED);
    }
  }

  @Override
  public void forget(long group) {
    synchronized (removedUpTo) {
      removedUpTo.remove(group);
    }
    List<RowWrite> removals = new ArrayList<>();
    KeyRange range = KeyRange.prefix(prefix(group));
    try (RowScanner scanner =
        store.scan(ScanRequest.of(Families.SYSTEM_TABLE, range, Selection.column(COLUMN)))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        removals.add(RowWrite.remove(row.row(), COLUMN, VERSION));
      }
    }
    if (!removals.isEmpty()) {
      store.write(removals, Durability.BUFFERED);
    }
  }

  @Override
  public String describe() {
    return "store";
  }

  private static Bytes prefix(long group) {
    return Bytes.of(PREFIX).concat(Bytes.ofLong(group)).concat(Bytes.of("/"));
  }

  private static Row row(long group, long position) {
    return Row.of(Families.SYSTEM_TABLE, prefix(group).concat(Bytes.ofLong(position)));
  }

  @Override
  public void close() {}
}
