package io.braid.benchmarks.legacy;

import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.TransactionException;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager;
import io.braid.omid.manager.WriteSet;
import io.braid.omid.rows.DecideEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The manager of the first Omid, which section 5 compares with Omid LL. It writes the commit
 * entries itself, in batches, and answers when they are written. A begin waits until all commits
 * that were granted before it are written. So a snapshot need not look for writers without an
 * entry, and no reader makes a writer abort ({@link #writesEntries}).
 *
 * <p>One batch is on its way at a time; commits granted meanwhile share the next one. A caller that
 * finds no batch on its way writes the next one. So there is no task and nothing to close. Each
 * commit holds a ticket from before its timestamp is drawn until its entry is written. A snapshot
 * draws its timestamp before it looks at the tickets, and so misses none at or below that
 * timestamp.
 *
 * <p>For a store in the same process, where no call arrives late.
 */
public final class LegacyManager implements TransactionManager {
  private static final Duration NUDGE = Duration.ofSeconds(1);

  private final LocalTransactionManager conflicts;
  private final CellStore store;
  private final Seams seams;
  private final Durability durability;

  // Guarded by this.
  private final TreeSet<Long> tickets = new TreeSet<>();
  private final List<Waiter> waiters = new ArrayList<>();
  private long lastTicket;
  private List<Entry> gathered = new ArrayList<>();
  private boolean out;

  /**
   * @param conflicts finds the conflicts
   * @param durability of entries, which are the commit points
   */
  public LegacyManager(
      LocalTransactionManager conflicts, CellStore store, Seams seams, Durability durability) {
    this.conflicts = conflicts;
    this.store = store;
    this.seams = seams;
    this.durability = durability;
  }

  /** Commits that were asked for together. Guarded by the manager. */
  private static final class Ticket {
    private final long number;
    private int open;

    Ticket(long number) {
      this.number = number;
    }
  }

  /** A granted commit. Its mutable fields are guarded by the manager. */
  private static final class Entry {
    private final Ticket ticket;
    private final DecideEntry.Request request;
    private final Signal signal;
    private boolean ended;
    private @Nullable Outcome<Long> outcome;

    Entry(Ticket ticket, WriteSet writes, Signal signal) {
      this.ticket = ticket;
      this.request = new DecideEntry.Request(writes.start(), writes.commit());
      this.signal = signal;
    }
  }

  /** A begin that waits for all tickets up to one. */
  private record Waiter(long ticket, Signal signal) {}

  @Override
  public BegunTransaction begin() {
    return afterCommits(conflicts.begin());
  }

  @Override
  public BegunTransaction enter(long timestamp) {
    return afterCommits(conflicts.enter(timestamp));
  }

  @Override
  public Verdict commit(WriteSet writes) {
    Verdict[] verdict = new Verdict[1];
    commitAll(List.of(writes), verdict);
    return verdict[0];
  }

  /**
   * As {@link #commit commit} for each; returns when all entries are written.
   *
   * @param verdicts takes the answers
   * @throws TabletUnavailableException when the store did not answer for an entry: only the entry
   *     shows the outcome of its transaction
   */
  public void commitAll(List<WriteSet> batch, Verdict[] verdicts) {
    Ticket ticket = take();
    List<Entry> entries = new ArrayList<>(batch.size());
    try {
      conflicts.commitAll(batch, verdicts);
      for (int i = 0; i < batch.size(); i++) {
        if (verdicts[i] == Verdict.GRANTED) {
          entries.add(new Entry(ticket, batch.get(i), seams.signal()));
        }
      }
    } finally {
      gather(ticket, entries).forEach(Signal::raise);
    }
    entries.forEach(this::await);
    int next = 0;
    for (int i = 0; i < batch.size(); i++) {
      if (verdicts[i] == Verdict.GRANTED) {
        verdicts[i] = answer(entries.get(next++));
      }
    }
  }

  private static Verdict answer(Entry entry) {
    if (!(entry.outcome instanceof Outcome.Done<Long> done)) {
      throw new TabletUnavailableException("A commit entry was not written: " + entry.outcome);
    }
    // A fence or a sweep that could not wait was first.
    return done.result() == entry.request.commit() ? Verdict.GRANTED : Verdict.FENCED;
  }

  private synchronized Ticket take() {
    tickets.add(++lastTicket);
    return new Ticket(lastTicket);
  }

  /** Leaves entries to be written; returns the signals of callers that need not wait. */
  private synchronized List<Signal> gather(Ticket ticket, List<Entry> entries) {
    gathered.addAll(entries);
    ticket.open += entries.size();
    List<Signal> free = new ArrayList<>(0);
    giveBack(ticket, free);
    return free;
  }

  private void giveBack(Ticket ticket, List<Signal> free) {
    if (ticket.open == 0) {
      tickets.remove(ticket.number);
      waiters.removeIf(waiter -> !stands(waiter.ticket) && free.add(waiter.signal));
    }
  }

  private boolean stands(long upTo) {
    return !tickets.isEmpty() && tickets.first() <= upTo;
  }

  /** Waits until an entry is written, or writes it. */
  private void await(Entry entry) {
    while (!ended(entry)) {
      List<Entry> batch = nextBatch();
      if (!batch.isEmpty()) {
        write(batch);
      } else if (!entry.signal.await(NUDGE) && Backoff.interrupted()) {
        throw TransactionException.interrupted(entry.request.start());
      }
    }
  }

  private synchronized boolean ended(Entry entry) {
    return entry.ended;
  }

  /** Returns the batch that the caller has to write; empty while another batch is on its way. */
  private synchronized List<Entry> nextBatch() {
    if (out || gathered.isEmpty()) {
      return List.of();
    }
    out = true;
    List<Entry> batch = gathered;
    gathered = new ArrayList<>();
    return batch;
  }

  private void write(List<Entry> batch) {
    List<Outcome<Long>> outcomes = List.of();
    try {
      outcomes =
          store.execute(
              DecideEntry.INSTANCE, batch.stream().map(each -> each.request).toList(), durability);
    } finally {
      written(batch, outcomes).forEach(Signal::raise);
    }
  }

  /**
   * Returns the signals to raise: those of the written entries, and of one entry that is gathered.
   */
  private synchronized List<Signal> written(List<Entry> batch, List<Outcome<Long>> outcomes) {
    List<Signal> signals = new ArrayList<>(batch.size() + 1);
    for (int i = 0; i < batch.size(); i++) {
      Entry entry = batch.get(i);
      entry.ended = true;
      entry.outcome = outcomes.isEmpty() ? null : outcomes.get(i);
      signals.add(entry.signal);
      entry.ticket.open--;
      giveBack(entry.ticket, signals);
    }
    out = false;
    if (!gathered.isEmpty()) {
      signals.add(gathered.get(0).signal);
    }
    return signals;
  }

  private BegunTransaction afterCommits(BegunTransaction begun) {
    Signal signal = seams.signal();
    long upTo = register(signal);
    while (isOpen(upTo)) {
      // The caller that was to write the next batch may have been interrupted.
      List<Entry> batch = signal.await(NUDGE) ? List.of() : nextBatch();
      if (!batch.isEmpty()) {
        write(batch);
      } else if (Backoff.interrupted()) {
        long start = begun.timestamp();
        begun.close();
        throw TransactionException.interrupted(start);
      }
    }
    return begun;
  }

  private synchronized long register(Signal signal) {
    if (stands(lastTicket)) {
      waiters.add(new Waiter(lastTicket, signal));
    }
    return lastTicket;
  }

  private synchronized boolean isOpen(long upTo) {
    return stands(upTo);
  }

  @Override
  public boolean writesEntries() {
    return true;
  }

  @Override
  public long fence(long table) {
    return conflicts.fence(table);
  }

  @Override
  public long lowWatermark() {
    return conflicts.lowWatermark();
  }
}
