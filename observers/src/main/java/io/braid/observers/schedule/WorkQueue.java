package io.braid.observers.schedule;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows that this process is to visit. A row is in the queue at most once. Changes while it
 * waits are collapsed; a change during its visit makes it wait again afterwards. So no two workers
 * of a process visit the same row at once.
 *
 * <p>Rows come by hint, up to a capacity, or from a scanner. A scanner claims only a few rows at a
 * time, so that it stops scanning while there is enough to do.
 *
 * <p>Monitor methods only: the queue wakes no thread and waits for nothing.
 */
public final class WorkQueue {
  /** No row is to be visited at a certain time. */
  static final long NEVER = Long.MAX_VALUE;

  private final int capacity;
  private final int scanCapacity;

  // The rest is guarded by this.
  private final Map<Row, Item> items = new HashMap<>();
  private final Deque<Item> ready = new ArrayDeque<>();
  private final NavigableSet<Item> delayed =
      new TreeSet<>(
          Comparator.<Item>comparingLong(item -> item.due).thenComparingLong(item -> item.number));
  private int claimed;
  private long numbers;
  private long dropped;
  private boolean forgotten;
  private long activity;
  private boolean turnOfReady;

  public WorkQueue(int capacity, int scanCapacity) {
    this.capacity = capacity;
    this.scanCapacity = scanCapacity;
  }

  private enum State {
    CLAIMED,
    READY,
    DELAYED,
    RUNNING
  }

  /** A row to visit. Only the queue reads and writes the fields that are not final. */
  public static final class Item {
    public final Row row;
    private @Nullable Object scanner;
    private State state;
    private boolean hinted;
    private @Nullable Hints hints;
    private boolean unread;
    private boolean changed;
    private boolean locked;
    private boolean hintable;
    private int attempts;
    private long due;
    private long number;

    private Item(Row row, @Nullable Object scanner, State state) {
      this.row = row;
      this.scanner = scanner;
      this.state = state;
    }
  }

  /**
   * The work for a worker.
   *
   * @param hinted whether a transaction of this process is known to have committed a change
   * @param hints all changes to deal with; null when the row has to be read to find them
   */
  public record Work(
      Item item, boolean hinted, @Nullable Hints hints, boolean locked, int attempts) {}

  /** The result of an attempt to claim a row. */
  public sealed interface Claim {
    /** The row is the scanner's; to be passed to {@link #found} or {@link #unclaim}. */
    record Claimed(Item item) implements Claim {}

    /** It waits here already, or is being visited. */
    record Busy(boolean byOtherScanner) implements Claim {}

    /** Enough rows were claimed for now. */
    record NoRoom() implements Claim {}
  }

  /** Takes a hint that the row has to be read; false when it was dropped for want of room. */
  public synchronized boolean hint(Row row) {
    Item item = hinted(row);
    if (item != null) {
      item.unread = true;
      visitSoon(item);
    }
    return item != null;
  }

  /**
   * Takes a hint of a change; false when it was dropped for want of room.
   *
   * @param start the version of its notification
   * @param commit the version of the change
   */
  public synchronized boolean hint(Row row, ColumnName column, long start, long commit) {
    Item item = hinted(row);
    if (item != null) {
      Hints hints = item.hints == null ? new Hints() : item.hints;
      item.hints = hints;
      item.unread |= !hints.add(column, start, commit);
      visitSoon(item);
    }
    return item != null;
  }

  private @Nullable Item hinted(Row row) {
    activity++;
    Item item = items.get(row);
    if (item == null) {
      if (items.size() >= capacity) {
        dropped++;
        forgotten = true;
        return null;
      }
      item = put(row, null, State.READY);
      ready.add(item);
    }
    item.hinted = true;
    return item;
  }

  private void visitSoon(Item item) {
    if (item.state == State.RUNNING) {
      item.changed = true;
    } else if (item.state == State.DELAYED && item.hintable) {
      delayed.remove(item);
      toReady(item);
    }
  }

  /** Takes a row that has notifications, of which nothing else is known. */
  public synchronized void add(Row row) {
    if (!items.containsKey(row) && items.size() < capacity) {
      activity++;
      Item item = put(row, null, State.READY);
      item.unread = true;
      ready.add(item);
    }
  }

  /**
   * Takes a row whose notifications could not be removed, to be looked at after a pause. Where
   * there is no room a scanner finds it again: a transaction may hold up very many rows.
   */
  public synchronized void addLater(Row row, long due) {
    Item item = items.get(row);
    if (item == null) {
      if (items.size() >= capacity) {
        return;
      }
      item = put(row, null, State.RUNNING);
      again(item, due, true);
    } else {
      item.unread = true;
      item.changed |= item.state == State.RUNNING;
    }
  }

  public synchronized Claim claim(Row row, Object scanner) {
    Item item = items.get(row);
    if (item != null) {
      return new Claim.Busy(item.scanner != null && item.scanner != scanner);
    }
    if (claimed >= scanCapacity) {
      return new Claim.NoRoom();
    }
    claimed++;
    return new Claim.Claimed(put(row, scanner, State.CLAIMED));
  }

  /** The claimed row is to be visited; its advisory lock is held. */
  public synchronized void found(Item item) {
    activity++;
    item.locked = true;
    item.unread = true;
    toReady(item);
  }

  /** The claimed row is left alone, unless a hint came. */
  public synchronized void unclaim(Item item) {
    claimed--;
    if (item.hinted) {
      toReady(item);
    } else {
      items.remove(item.row);
    }
  }

  private Item put(Row row, @Nullable Object scanner, State state) {
    Item item = new Item(row, scanner, state);
    items.put(row, item);
    return item;
  }

  private void toReady(Item item) {
    item.state = State.READY;
    ready.add(item);
  }

  /** The next row to visit; null when there is none now. */
  public synchronized @Nullable Work take(long nanoTime) {
    Item item = poll(nanoTime);
    if (item == null) {
      return null;
    }
    if (item.locked) {
      claimed--;
    }
    Hints hints = item.unread ? null : item.hints;
    Work work = new Work(item, item.hinted, hints, item.locked, item.attempts);
    item.state = State.RUNNING;
    item.hinted = false;
    item.hints = null;
    item.unread = false;
    item.locked = false;
    return work;
  }

  /** Rows whose pause is over and others take turns, so that neither keep the other waiting. */
  private @Nullable Item poll(long nanoTime) {
    if (nanosToDue(nanoTime) == 0 && (ready.isEmpty() || !turnOfReady)) {
      turnOfReady = true;
      return delayed.pollFirst();
    }
    turnOfReady = false;
    return ready.poll();
  }

  public synchronized void done(Item item) {
    activity++;
    if (item.changed) {
      item.changed = false;
      item.attempts = 0;
      toReady(item);
    } else {
      items.remove(item.row);
    }
  }

  /**
   * Visits the row again.
   *
   * @param due when, on the monotonic clock
   * @param hintable whether a hint makes it happen at once
   */
  public synchronized void again(Item item, long due, boolean hintable) {
    activity++;
    boolean changed = item.changed;
    item.changed = false;
    item.unread = true;
    if (changed && hintable) {
      toReady(item);
      return;
    }
    item.state = State.DELAYED;
    item.scanner = null;
    item.attempts++;
    item.hintable = hintable;
    item.due = due;
    item.number = numbers++;
    delayed.add(item);
  }

  /** Nanoseconds until the next delayed row is due, at least 0; {@link #NEVER} without any. */
  public synchronized long nanosToDue(long nanoTime) {
    return delayed.isEmpty() ? NEVER : Math.max(0, delayed.first().due - nanoTime);
  }

  public synchronized boolean hasReady() {
    return !ready.isEmpty();
  }

  /** The rows that wait here with their advisory lock held; to be asked at the end. */
  public synchronized List<Row> locked() {
    return items.values().stream().filter(item -> item.locked).map(item -> item.row).toList();
  }

  /** Whether hints were dropped since this was asked last: then a sweep should follow. */
  public synchronized boolean hasForgotten() {
    boolean before = forgotten;
    forgotten = false;
    return before;
  }

  public synchronized boolean hasRoomForScanners() {
    return claimed < scanCapacity;
  }

  /** Rows that wait or are being visited. */
  public synchronized int size() {
    return items.size();
  }

  /** Changes whenever anything happens. */
  public synchronized long activity() {
    return activity;
  }

  public synchronized long dropped() {
    return dropped;
  }
}
