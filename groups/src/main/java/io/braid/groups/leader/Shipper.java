package io.braid.groups.leader;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.store.UnknownTableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.HoldLostException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.Transactions;
import io.braid.groups.GroupException;
import io.braid.groups.GroupStuckException;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogBrokenException;
import io.braid.groups.log.LogEntry;
import io.braid.groups.log.LogFencedException;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.ShippedPosition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the commits of groups to the store (section 5.4). Each batch is one transaction of the
 * store at one commit timestamp, with the position in the log inside: a snapshot shows the members
 * as they were after some commit of the group, never between two; and a leader that takes over
 * reads from the same cells where to go on.
 */
final class Shipper {
  /** The time for which the store is asked again after a refusal. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(Shipper.class);

  private final Transactions transactions;
  private final GroupLog log;
  private final Seams seams;
  private final ShippingCheck shippingCheck;
  private final FailedGroups failedGroups;
  private final long batchBytes;

  /**
   * @param batchBytes how much is shipped in one transaction, if that may be so large
   */
  Shipper(
      Transactions transactions,
      GroupLog log,
      Seams seams,
      ShippingCheck shippingCheck,
      FailedGroups failedGroups,
      long batchBytes) {
    this.shippingCheck = shippingCheck;
    this.failedGroups = failedGroups;
    this.transactions = transactions;
    this.log = log;
    this.seams = seams;
    this.batchBytes = batchBytes;
  }

  /** As {@link #positionOf(Row, long)}; also 0 when the table of the leader key is gone. */
  long positionOf(GroupRecord record) {
    try {
      return positionOf(record.leader(), record.number());
    } catch (UnknownTableException e) {
      return 0;
    }
  }

  /**
   * Returns the position up to which the history of a group is in the store; 0 when no commit is.
   */
  long positionOf(Row leader, long number) {
    try (Snapshot snapshot = transactions.snapshot()) {
      Optional<ShippedPosition> position = snapshot.get(leader, ShippedPosition.COLUMN);
      return position.filter(p -> p.group() == number).map(ShippedPosition::position).orElse(0L);
    }
  }

  /**
   * Ships all that there is; the caller has acquired the group.
   *
   * @throws GroupStuckException when the store refuses it
   * @throws GroupException when the store has not taken it for so long that the wait ends
   * @throws HoldLostException when another process leads the group by now
   */
  void shipAll(LedGroup group) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(1), Duration.ofMillis(200));
    long upTo = group.position();
    while (group.isUnshipped(upTo)) {
      if (!shipNext(group)) {
        requireHope(group, backoff.elapsed().compareTo(PATIENCE) <= 0 && backoff.pause());
      }
    }
  }

  private void requireHope(LedGroup group, boolean waits) {
    GroupRecord record = group.record();
    failedGroups
        .stuck(record.number())
        .ifPresent(
            trouble -> {
              throw new GroupStuckException(record.name(), "cannot be shipped", trouble);
            });
    if (!waits) {
      throw new GroupException(
          "The commits of group '"
              + record.name()
              + "' are not all in the store yet, and are shipped later"
              + failedGroups
                  .latest(record.number())
                  .map(why -> "; the store says: " + why)
                  .orElse("."),
          null);
    }
  }

  /**
   * Ships the next batch of a group that the caller has acquired; false when there is none, or it
   * is to be tried again: then why is noted.
   *
   * @throws HoldLostException when another process leads the group by now
   */
  boolean shipNext(LedGroup group) {
    try (Parcel parcel = pack(group)) {
      return parcel != null && parcel.send();
    } catch (HoldLostException | LogFencedException | LogBrokenException e) {
      throw e;
    } catch (RuntimeException e) {
      failed(group, e);
      return false;
    }
  }

  /** Notes why a batch is not in the store. */
  void failed(LedGroup group, RuntimeException e) {
    LOG.debug("Group {} is shipped later.", group.record().name(), e);
    failedGroups.notShipped(group.record(), e);
  }

  /**
   * Returns the next batch of a group that the caller has acquired; null when there is none. If the
   * store has refused a batch, the new one also contains all commits that may have replaced it
   * since.
   */
  @Nullable Parcel pack(LedGroup group) {
    long most = shippingCheck.most(group.record().leader());
    boolean again = failedGroups.latest(group.record().number()).isPresent();
    List<LogEntry> batch = group.nextBatch(again ? most : batchBytes, most);
    return batch.isEmpty() ? null : new Parcel(group, batch);
  }

  /** Sends batches of several groups in few trips, and returns the result of each. */
  List<CommitResult> send(List<Parcel> parcels) {
    return transactions.commitAll(parcels.stream().map(parcel -> parcel.tx).toList());
  }

  /** A batch on its way. */
  final class Parcel implements AutoCloseable {
    private final LedGroup group;
    private final long upTo;
    private final Set<Row> rows = new LinkedHashSet<>();
    private final Transaction tx;

    private Parcel(LedGroup group, List<LogEntry> batch) {
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

    LedGroup group() {
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
     * Whether the batch is in the store; if not, why is noted, and it may be tried again.
     *
     * @throws HoldLostException when another process leads the group by now
     */
    boolean arrived(CommitResult result) {
      if (result instanceof CommitResult.Failed failed && !isCommitted(failed.failure())) {
        failed(group, failed.failure());
        return false;
      }
      failedGroups.ended(group.record());
      group.shipped(upTo);
      log.shipped(group.record().number(), upTo);
      return true;
    }

    @Override
    public void close() {
      tx.close();
    }

    private boolean isCommitted(RuntimeException failure) {
      if (failure instanceof HoldLostException) {
        throw failure;
      }
      return failure instanceof CommitOutcomeUnknownException unknown
          && transactions.outcome(unknown.id()) instanceof TransactionOutcome.Committed;
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
