package io.braid.groups;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.Transactions;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogEntry;
import io.braid.groups.rows.ShippedPosition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings the commits of groups to the store (section 5.4). Each batch is one transaction of the
 * store at one commit timestamp, with the position in the log inside: a snapshot shows the members
 * as they were after some commit of the group, never between two; and a leader that takes over
 * reads from the same cells where to go on.
 */
final class Shipper {
  private final Transactions transactions;
  private final GroupLog log;
  private final Seams seams;
  private final long batchBytes;

  Shipper(Transactions transactions, GroupLog log, Seams seams, long batchBytes) {
    this.transactions = transactions;
    this.log = log;
    this.seams = seams;
    this.batchBytes = batchBytes;
  }

  /** How far the history of a group stands in the store; 0 when nothing of it does. */
  long positionOf(Row leader, long number) {
    try (Snapshot snapshot = transactions.snapshot()) {
      Optional<ShippedPosition> position = snapshot.get(leader, ShippedPosition.COLUMN);
      return position.filter(p -> p.group() == number).map(ShippedPosition::position).orElse(0L);
    }
  }

  /**
   * Ships all that there is; the caller has acquired the group.
   *
   * @throws RuntimeException what the commit of a batch has thrown that is no conflict
   */
  void shipAll(LiveGroup group) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(1), Duration.ofMillis(200));
    while (true) {
      try (Parcel parcel = pack(group)) {
        if (parcel == null || (!parcel.send() && !backoff.pause())) {
          return;
        }
      }
    }
  }

  /** The next batch of a group that the caller has acquired; null when there is none. */
  @Nullable Parcel pack(LiveGroup group) {
    List<LogEntry> batch = group.nextBatch(batchBytes);
    return batch.isEmpty() ? null : new Parcel(group, batch);
  }

  /** Sends batches of several groups in few trips; how each went is told at its parcel. */
  List<CommitResult> send(List<Parcel> parcels) {
    return transactions.commitAll(parcels.stream().map(parcel -> parcel.tx).toList());
  }

  /** A batch on its way. */
  final class Parcel implements AutoCloseable {
    private final LiveGroup group;
    private final long upTo;
    private final Set<Row> rows = new LinkedHashSet<>();
    private final Transaction tx;

    private Parcel(LiveGroup group, List<LogEntry> batch) {
      this.group = group;
      this.upTo = batch.get(batch.size() - 1).position();
      Row leader = group.record().leader();
      rows.add(leader);
      tx = transactions.begin(group.record().pass());
      try {
        newest(batch).forEach(this::write);
        tx.set(leader, ShippedPosition.COLUMN, new ShippedPosition(group.record().number(), upTo));
      } catch (RuntimeException e) {
        tx.close();
        throw e;
      }
    }

    private void write(Row row, Map<ColumnName, Optional<Bytes>> values) {
      rows.add(row);
      values.forEach(
          (column, value) -> {
            Column<Bytes> raw = new Column<>(column, Codecs.bytes());
            if (value.isPresent()) {
              tx.set(row, raw, value.get());
            } else {
              tx.delete(row, raw);
            }
          });
    }

    LiveGroup group() {
      return group;
    }

    /** The rows that it writes. */
    Set<Row> rows() {
      return rows;
    }

    /** Sends it alone; answers as {@link #arrived}. */
    boolean send() {
      return arrived(CommitResult.of(tx::commit));
    }

    /**
     * Whether the batch is in the store; if not, it may be tried again.
     *
     * @throws RuntimeException what the commit has thrown that is no conflict
     */
    boolean arrived(CommitResult result) {
      if (result instanceof CommitResult.Failed failed && !isCommitted(failed.failure())) {
        return false;
      }
      group.shipped(upTo);
      log.shipped(group.record().number(), upTo);
      return true;
    }

    @Override
    public void close() {
      tx.close();
    }

    private boolean isCommitted(RuntimeException failure) {
      if (failure instanceof ConflictException) {
        return false;
      }
      if (failure instanceof CommitOutcomeUnknownException unknown) {
        return transactions.outcome(unknown.id()) instanceof TransactionOutcome.Committed;
      }
      throw failure;
    }
  }

  private static Map<Row, Map<ColumnName, Optional<Bytes>>> newest(List<LogEntry> batch) {
    Map<Row, Map<ColumnName, Optional<Bytes>>> newest = new LinkedHashMap<>();
    for (LogEntry entry : batch) {
      for (LogEntry.Write write : entry.writes()) {
        newest
            .computeIfAbsent(write.row(), row -> new LinkedHashMap<>())
            .put(write.column(), Optional.ofNullable(write.value()));
      }
    }
    return newest;
  }
}
