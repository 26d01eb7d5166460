package io.braid.groups;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.transaction.CommitOutcomeUnknownException;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

  /** Ships all that there is; the caller has acquired the group. */
  void shipAll(LiveGroup group) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(1), Duration.ofMillis(200));
    List<LogEntry> batch = group.nextBatch(batchBytes);
    while (!batch.isEmpty()) {
      long upTo = batch.get(batch.size() - 1).position();
      if (ship(group, batch, upTo)) {
        group.shipped(upTo);
        log.shipped(group.record().number(), upTo);
        batch = group.nextBatch(batchBytes);
      } else if (!backoff.pause()) {
        return;
      }
    }
  }

  /** Whether the batch is in the store; if not, it may be tried again. */
  private boolean ship(LiveGroup group, List<LogEntry> batch, long upTo) {
    Transaction tx = transactions.begin(group.record().pass());
    try (tx) {
      newest(batch).forEach((row, columns) -> columns.forEach((c, v) -> write(tx, row, c, v)));
      tx.set(
          group.record().leader(),
          ShippedPosition.COLUMN,
          new ShippedPosition(group.record().number(), upTo));
      tx.commit();
      return true;
    } catch (ConflictException e) {
      return false;
    } catch (CommitOutcomeUnknownException e) {
      TransactionOutcome outcome = transactions.outcome(e.id());
      return outcome instanceof TransactionOutcome.Committed;
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

  private static void write(Transaction tx, Row row, ColumnName column, Optional<Bytes> value) {
    Column<Bytes> raw = new Column<>(column, Codecs.bytes());
    if (value.isPresent()) {
      tx.set(row, raw, value.get());
    } else {
      tx.delete(row, raw);
    }
  }
}
