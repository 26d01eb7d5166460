package io.braid.omid;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.Families;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Row;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.omid.rows.Answer;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.EndFastWrite;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers what became of a transaction, for whoever holds its id. The entry of the commit table is
 * asked first; when it says nothing, or that the transaction is invalid, a cell that the
 * transaction wrote is looked at: after its post-commit only that tells. A fast write has no entry;
 * the row that it writes is asked.
 */
final class Outcomes {
  private static final TransactionOutcome ROLLED_BACK = new TransactionOutcome.RolledBack();

  private final Surroundings around;
  private final CommitTable commits;
  private final Committer committer;

  Outcomes(Surroundings around, CommitTable commits, Committer committer) {
    this.around = around;
    this.commits = commits;
    this.committer = committer;
  }

  /** The name may be made up: by it nothing is found, and nothing becomes of anybody. */
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
    // Nothing tells of a commit: calls may still be on their way, and have to find that it ended.
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

  /** Whether the cell that the name tells of can be one that a transaction writes. */
  private boolean hasWitness(CommitEntry entry) {
    Decoder witness = CommitEntries.witness(entry.key());
    if (witness.remaining() == 0) {
      return true;
    }
    String table = witness.row().table();
    String family = witness.column().family();
    return table.indexOf('~') < 0
        && around.store().table(table).filter(has -> has.has(family)).isPresent();
  }

  /**
   * What the entry, the witness and the low watermark tell; null when that is nothing.
   *
   * @param stands in the entry; null when there is none
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

  /** What it has committed, if it has, the witness tells. */
  private void endOnePhase(long start, CommitEntry entry) {
    if (CommitEntries.witness(entry.key()).remaining() != 0
        && !(OnePhaseEnd.ask(around, start, entry) instanceof Outcome.Done<Answer>)) {
      throw cannotBeAsked("first cell", start);
    }
  }

  private static TabletUnavailableException cannotBeAsked(String what, long start) {
    return new TabletUnavailableException(
        "The " + what + " of the transaction begun at " + start + " cannot be asked: try again.");
  }

  /** Asked in a way that decides, as an entry is: a call may still be on its way. */
  private TransactionOutcome ofFastWrite(long id, CommitEntry entry) {
    Decoder witness = CommitEntries.witness(entry.key());
    if (witness.remaining() == 0) {
      return new TransactionOutcome.Unknown();
    }
    EndFastWrite.Request request =
        new EndFastWrite.Request(witness.row(), witness.column(), id, witness.varint());
    Outcome<Answer> outcome =
        around.trips().execute(EndFastWrite.INSTANCE, request, around.atCommit());
    if (!(outcome instanceof Outcome.Done<Answer> done)) {
      throw new TabletUnavailableException(
          "Row " + request.row() + " cannot be asked: " + outcome + ". Try again.");
    }
    if (done.result() instanceof Answer.Committed committed) {
      return new TransactionOutcome.Committed(committed.commit());
    }
    return done.result() instanceof Answer.Ended ? ROLLED_BACK : new TransactionOutcome.Unknown();
  }

  private static boolean onlyNotifies(CommitEntry entry) {
    Decoder witness = CommitEntries.witness(entry.key());
    if (witness.remaining() == 0) {
      return false;
    }
    witness.row();
    return witness.column().family().equals(Families.NOTIFY);
  }

  /** A transaction that only notifies has nothing to decide: what is there was written. */
  private TransactionOutcome ofNotification(long start, CommitEntry entry) {
    Decoder witness = CommitEntries.witness(entry.key());
    Row row = witness.row();
    ColumnName column = witness.column();
    Selection version = new Selection(column.family(), column.qualifier(), start, start, 1);
    boolean there = !around.store().read(RowRead.of(row, version)).isEmpty();
    return there ? new TransactionOutcome.Committed(start) : new TransactionOutcome.Unknown();
  }

  /** Entries, and the records that would tell, need not be there any more. */
  private boolean isLongAgo(long start) {
    return start < around.store().watermark();
  }

  /** When the witness was committed by the transaction; 0 when it was not, or there is none. */
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
