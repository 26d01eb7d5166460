package io.braid.omid;

import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Row;
import io.braid.core.store.Outcome;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.EndFastWrite;
import io.braid.omid.rows.OmidAnswer;

/**
 * Finds out the outcome of a commit in one phase, in a way that decides. Its first cell has its
 * record, or gets the mark of a refusal, as the first cell of a fast write does.
 */
final class OnePhaseEnd {
  private OnePhaseEnd() {}

  /**
   * Answers Committed; Ended; or Refused, when the outcome cannot be found out any more.
   *
   * @param entry with a witness
   */
  static Outcome<OmidAnswer> ask(ProtocolContext around, long start, CommitEntry entry) {
    Decoder witness = CommitEntries.witness(entry.key());
    Row row = witness.row();
    ColumnName column = witness.column();
    return around
        .trips()
        .execute(
            EndFastWrite.INSTANCE,
            new EndFastWrite.Request(row, column, start, start),
            around.atCommit());
  }
}
