package io.braid.groups.log;

import io.braid.core.cells.Families;
import io.braid.core.data.Cell;
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
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.groups.rows.AppendLog;
import io.braid.groups.rows.Reign;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;

/**
 * A log in the store itself: a row for each group in Braid's own table. The log needs nothing but
 * the store, and outlives the process and its machine. A process that takes a group over can read
 * it after it has {@link #fence fenced} the earlier leader out.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class StoreGroupLog implements GroupLog {
  private static final int ATTEMPTS = 30;

  /** How many writes are on their way at a time; a group always takes the same way. */
  private static final int LANES = 4;

  private static final long MOST_REMOVALS = 10_000;

  /** Shipped entries stay for a while, so that few calls remove them. */
  private static final long FEWEST_REMOVALS = 100;

  /** How many logs are read at a time to be forgotten: the rest of each may be large. */
  private static final int ROWS_AT_ONCE = 16;

  private final CellStore store;
  private final Durability durability;
  private final Seams seams;
  private final List<GroupCommit> lanes = new ArrayList<>();

  /** Up to which position the entries of a group have been removed. */
  private final Map<Long, Long> removed = new HashMap<>();

  public StoreGroupLog(CellStore store, Durability durability, Seams seams) {
    this.store = store;
    this.durability = durability;
    this.seams = seams;
    for (int i = 0; i < LANES; i++) {
      lanes.add(new GroupCommit(seams, this::write));
    }
  }

  @Override
  public Ticket append(LogEntry entry, Reign reign) {
    int lane = Math.floorMod(Long.hashCode(entry.group() * 0x9E3779B97F4A7C15L), LANES);
    synchronized (removed) {
      removed.putIfAbsent(entry.group(), 0L);
    }
    return lanes.get(lane).append(entry, reign);
  }

  @Override
  public void force(Ticket ticket) {
    GroupCommit.force(ticket);
  }

  /** A request for each group; a group of two epochs in one batch has been handed over and back. */
  private Map<Long, Long> write(List<GroupCommit.PendingEntry> batch) {
    record LogLeader(long group, Reign reign) {}
    Map<LogLeader, List<AppendLog.Entry>> byGroup = new LinkedHashMap<>();
    for (GroupCommit.PendingEntry each : batch) {
      Encoder to = new Encoder(each.entry().size());
      each.entry().encode(to);
      byGroup
          .computeIfAbsent(
              new LogLeader(each.entry().group(), each.reign()), g -> new ArrayList<>())
          .add(new AppendLog.Entry(each.entry().position(), to.finish()));
    }
    List<AppendLog.Request> requests = new ArrayList<>();
    byGroup.forEach(
        (led, entries) -> requests.add(new AppendLog.Request(led.group(), led.reign(), entries)));
    Map<Long, Long> fenced = new HashMap<>();
    execute(requests, fenced);
    return fenced;
  }

  @Override
  public boolean isBroken() {
    return lanes.stream().anyMatch(GroupCommit::isBroken);
  }

  @Override
  public boolean canRead(String log) {
    return log.equals(describe());
  }

  @Override
  public void fence(long group, Reign reign) {
    synchronized (removed) {
      removed.putIfAbsent(group, 0L);
    }
    Map<Long, Long> fenced = new HashMap<>();
    execute(List.of(new AppendLog.Request(group, reign, List.of())), fenced);
    if (!fenced.isEmpty()) {
      throw new LogFencedException(group);
    }
  }

  /** The requests may be repeated: each writes fixed cells. */
  private void execute(List<AppendLog.Request> requests, Map<Long, Long> fenced) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(5), Duration.ofMillis(500));
    List<AppendLog.Request> open = requests;
    for (int attempt = 1; !open.isEmpty(); attempt++) {
      List<AppendLog.Request> again = new ArrayList<>();
      List<Outcome<Boolean>> outcomes = store.execute(AppendLog.INSTANCE, open, durability);
      for (int i = 0; i < open.size(); i++) {
        if (!(outcomes.get(i) instanceof Outcome.Done<Boolean> done)) {
          again.add(open.get(i));
        } else if (!done.result()) {
          fenced.merge(open.get(i).group(), open.get(i).reign().epoch(), Math::max);
        }
      }
      open = again;
      if (!open.isEmpty() && (attempt == ATTEMPTS || !backoff.pause())) {
        throw new LogBrokenException("The store does not take the log of the groups.", null);
      }
    }
  }

  @Override
  public List<LogEntry> read(long group, long after) {
    Selection entries = Selection.family(Families.SYSTEM);
    RowCells row = store.read(RowRead.of(AppendLog.row(group), entries));
    List<LogEntry> found = new ArrayList<>();
    long next = after + 1;
    for (Cell cell : row.cells()) {
      if (!cell.column().equals(AppendLog.fence())) {
        LogEntry entry = LogEntry.decode(new Decoder(cell.value()));
        // A late repeated call may have restored shipped entries. Entries after a gap were not
        // acknowledged.
        if (entry.position() == next) {
          found.add(entry);
          next++;
        }
      }
    }
    return found;
  }

  @Override
  public Set<Long> groups() {
    Set<Long> groups = new TreeSet<>();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE,
            KeyRange.prefix(AppendLog.prefix()),
            Selection.family(Families.SYSTEM));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        if (row.cells().stream().noneMatch(AppendLog::isTombstone)) {
          groups.add(AppendLog.groupOf(row.row()));
        }
      }
    }
    return groups;
  }

  @Override
  public void left(long group) {
    lanes.forEach(lane -> lane.left(group));
    synchronized (removed) {
      removed.remove(group);
    }
  }

  /** Of how many groups it remembers something. */
  int remembered() {
    synchronized (removed) {
      return removed.size() + lanes.stream().mapToInt(GroupCommit::fences).sum();
    }
  }

  @Override
  public void shipped(long group, long position) {
    List<RowWrite.Removal> removals = new ArrayList<>();
    synchronized (removed) {
      Long before = removed.get(group);
      // The leader of a group has fenced the group, or has appended the shipped entries.
      if (before == null || position - before < FEWEST_REMOVALS) {
        return;
      }
      removed.put(group, position);
      addEntries(Math.max(before, position - MOST_REMOVALS), position, removals);
    }
    store.write(List.of(removal(group, removals)), Durability.BUFFERED);
  }

  private static void addEntries(long after, long upTo, List<RowWrite.Removal> to) {
    for (long at = after + 1; at <= upTo; at++) {
      to.add(new RowWrite.Removal(AppendLog.column(at), AppendLog.VERSION));
    }
  }

  private static RowWrite removal(long group, List<RowWrite.Removal> cells) {
    return new RowWrite(AppendLog.row(group), List.of(), cells);
  }

  /**
   * Forgets groups. If a group had only one leader, nothing is left: that leader writes no more.
   * Else a tombstone is left, against the leaders before the last. The row shows this, and not the
   * writes of this process: others may have led the group since.
   */
  @Override
  public void forget(Collection<Long> groups, LongSupplier now) {
    groups.forEach(this::left);
    List<Long> all = List.copyOf(groups);
    for (int at = 0; at < all.size(); at += ROWS_AT_ONCE) {
      forgetRows(all.subList(at, Math.min(all.size(), at + ROWS_AT_ONCE)), now);
    }
  }

  private void forgetRows(List<Long> groups, LongSupplier now) {
    List<RowWrite> writes = new ArrayList<>();
    for (RowCells row : store.read(groups.stream().map(g -> whole(AppendLog.row(g))).toList())) {
      List<Cell> left = new ArrayList<>(1);
      if (row.cells().stream().anyMatch(AppendLog::isOfSeveralLeaders)) {
        left.add(new Cell(AppendLog.fence(), AppendLog.VERSION, AppendLog.tombstone(now)));
      }
      replacement(row, left).ifPresent(writes::add);
    }
    if (!writes.isEmpty()) {
      store.write(writes, Durability.BUFFERED);
    }
  }

  @Override
  public void supersede(String earlier) {
    // Each group has a fence of its own.
  }

  @Override
  public void sweep(Progress progress) {
    long watermark = store.watermark();
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE,
            KeyRange.prefix(AppendLog.prefix()),
            Selection.column(AppendLog.fence()));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        if (row.cells().stream().anyMatch(cell -> AppendLog.isTombstoneBelow(cell, watermark))) {
          replacement(store.read(whole(row.row())), List.of())
              .ifPresent(write -> store.write(List.of(write), Durability.BUFFERED));
        }
      }
    }
  }

  private static RowRead whole(Row row) {
    return RowRead.of(row, Selection.family(Families.SYSTEM));
  }

  /**
   * Returns one write for both changes, so that no reader misses both the removed and the new
   * cells.
   */
  private static Optional<RowWrite> replacement(RowCells row, List<Cell> left) {
    List<RowWrite.Removal> removals = new ArrayList<>();
    for (Cell cell : row.cells()) {
      if (left.isEmpty() || !cell.column().equals(AppendLog.fence())) {
        removals.add(new RowWrite.Removal(cell.column(), cell.version()));
      }
    }
    return removals.isEmpty() && left.isEmpty()
        ? Optional.empty()
        : Optional.of(new RowWrite(row.row(), left, removals));
  }

  @Override
  public String describe() {
    return "store";
  }

  @Override
  public void close() {}
}
