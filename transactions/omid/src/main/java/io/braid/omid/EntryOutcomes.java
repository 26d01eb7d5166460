package io.braid.omid;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.Families;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Row;
import io.braid.core.protocol.NamedCells;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.EndFastWrite;
import io.braid.omid.rows.OmidAnswer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers the outcome of a transaction, for any holder of its id. Asks the entry of the commit
 * table first. If there is no entry, or it says that the transaction is invalid, looks at a cell
 * that the transaction wrote: after its post-commit, only that cell shows the commit. A fast write
 * has no entry; the row that it writes is asked.
 */
final class EntryOutcomes {
  private static final TransactionOutcome ROLLED_BACK = new TransactionOutcome.RolledBack();

  private final ProtocolContext around;
  private final CommitTable commits;
  private final RunningCommits committer;

  EntryOutcomes(ProtocolContext around, CommitTable commits, RunningCommits committer) {
    this.around = around;
    this.commits = commits;
    this.committer = committer;
  }

  /** Returns the outcome. An invented name finds nothing, and changes no transaction. */
  TransactionOutcome of(long start, CommitEntry entry) {
    if (!hasWitness(entry)) {
      return new TransactionOutcome.Unknown();
    }
    if (FastPath.isRequest(start)) {
      return ofFastWrite(start, entry);
    }
    if (onlyNotifies(entry)) {
      return ofNotification(start, entry);
    }
    Long stands = commits.look(List.of(start)).get(start);
    if (stands == null && committer.isCommitting(start)) {
      return new TransactionOutcome.Undecided();
    }
    TransactionOutcome told = told(start, entry, stands);
    if (told != null) {
      return told;
    }
    // There is no sign of a commit: calls may still be on their way, and have to find the end.
    endOnePhase(start, entry);
    if (stands == null) {
      stands = commits.end(List.of(start)).get(start);
    }
    if (stands == null) {
      throw cannotBeAsked("entry", start);
    }
    told = told(start, entry, stands);
    return told != null ? told : ROLLED_BACK;
  }

  /** Whether the cell in the name can be a cell that a transaction writes. */
  private boolean hasWitness(CommitEntry entry) {
    Decoder witness = CommitEntries.witness(entry.key());
    if (witness.remaining() == 0) {
      return true;
    }
    String table = witness.row().table();
    return NamedCells.mayExist(around.store(), table, witness.column().family());
  }

  /**
   * Returns the outcome that follows from the entry, the witness and the low watermark, or null if
   * none does.
   *
   * @param stands the content of the entry, or null if there is none
   */
  private @Nullable TransactionOutcome told(long start, CommitEntry entry, @Nullable Long stands) {
    if (stands != null && stands != CommitEntries.INVALID && stands != CommitEntries.FORGOTTEN) {
      return new TransactionOutcome.Committed(stands);
    }
    long commit = witnessed(start, entry);
    if (commit != 0) {
      return new TransactionOutcome.Committed(commit);
    }
    return isLongAgo(start) ? new TransactionOutcome.Unknown() : null;
  }

  /** Ends a one-phase commit. If the transaction has committed, the witness shows the commit. */
  private void endOnePhase(long start, CommitEntry entry) {
    if (CommitEntries.witness(entry.key()).remaining() != 0
        && !(OnePhaseEnd.ask(around, start, entry) instanceof Outcome.Done<OmidAnswer>)) {
      throw cannotBeAsked("first cell", start);
    }
  }

  private static TabletUnavailableException cannotBeAsked(String what, long start) {
    return new TabletUnavailableException(
        "The " + what + " of the transaction begun at " + start + " cannot be asked: try again.");
  }

  /** Asks in a way that decides, as for an entry: a call may still be on its way. */
  private TransactionOutcome ofFastWrite(long id, CommitEntry entry) {
    Decoder witness = CommitEntries.witness(entry.key());
    if (witness.remaining() == 0) {
      return new TransactionOutcome.Unknown();
    }
    EndFastWrite.Request request =
        new EndFastWrite.Request(witness.row(), witness.column(), id, witness.varint());
    Outcome<OmidAnswer> outcome =
        around.trips().execute(EndFastWrite.INSTANCE, request, around.atCommit());
    if (!(outcome instanceof Outcome.Done<OmidAnswer> done)) {
      throw new TabletUnavailableException(
          "Row " + request.row() + " cannot be asked: " + outcome + ". Try again.");
    }
    if (done.result() instanceof OmidAnswer.Committed committed) {
      return new TransactionOutcome.Committed(committed.commit());
    }
    return done.result() instanceof OmidAnswer.Ended
        ? ROLLED_BACK
        : new TransactionOutcome.Unknown();
  }

  private static boolean onlyNotifies(CommitEntry entry) {
    Decoder witness = CommitEntries.witness(entry.key());
    if (witness.remaining() == 0) {
      return false;
    }
    witness.row();
    return witness.column().family().equals(Families.NOTIFY);
  }

  private TransactionOutcome ofNotification(long start, CommitEntry entry) {
    Decoder witness = CommitEntries.witness(entry.key());
    Row row = witness.row();
    ColumnName column = witness.column();
    return NamedCells.ofNotification(around.store(), start, row, column);
  }

  /** Whether the entry, and the records that would show the outcome, may be gone by now. */
  private boolean isLongAgo(long start) {
    return start < around.store().watermark();
  }

  /**
   * Returns the timestamp at which the transaction committed the witness; 0 if it did not, or if
   * there is no witness.
   */
  private long witnessed(long start, CommitEntry entry) {
    Decoder witness = CommitEntries.witness(entry.key());
    if (witness.remaining() == 0) {
      return 0;
    }
    Row row = witness.row();
    ColumnName column = witness.column();
    Selection since =
        new Selection(column.family(), column.qualifier(), start, Timestamp.MAX, Integer.MAX_VALUE);
    for (Cell cell : around.store().read(RowRead.of(row, since)).cells()) {
      if (CommitRecord.read(row, cell).start() == start) {
        return cell.version();
      }
    }
    return 0;
  }
}
