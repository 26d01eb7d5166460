package io.braid.view;

import io.braid.Braid;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.data.Decoder;
import io.braid.core.data.Row;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.percolator.TransactionTraces;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Asks the decision points of intents, without deciding anything. */
final class IntentMeaning {
  private final Braid db;
  private final Map<Long, String> known = new HashMap<>();

  IntentMeaning(Braid db) {
    this.db = db;
  }

  String of(Intent intent, long start) {
    return switch (intent.kind()) {
      case HOLD -> "write through group " + intent.owner();
      case ROLLED_BACK -> "the transaction begun at " + start + " never commits";
      default -> known.computeIfAbsent(start, s -> transaction(intent.decision(), s));
    };
  }

  private String transaction(DecisionPoint decision, long start) {
    String of = "transaction begun at " + start + ": ";
    if (decision instanceof DecisionPoint.CommitEntry entry) {
      return of + entry(entry);
    }
    if (decision instanceof DecisionPoint.LoadRecord load) {
      return "load " + load.load() + " decides";
    }
    TransactionTraces traces = db.operations().traces(start);
    return of
        + switch (traces.state()) {
          case COMMITTED ->
              "committed at "
                  + traces.commit().orElse(0)
                  + ", this cell is not rolled forward yet; a reader does it";
          case ROLLED_BACK -> "rolled back at its primary; a reader removes this cell";
          case UNKNOWN -> "there is nothing at its primary";
          case UNDECIDED -> "undecided" + traces.owner().map(IntentMeaning::owner).orElse("");
        };
  }

  private static String owner(TransactionTraces.Owner owner) {
    return ", owner "
        + owner.token()
        + (owner.alive() ? " alive" : " dead")
        + ", last heartbeat "
        + owner.ageMillis()
        + " ms ago";
  }

  /** Describes a commit entry (Omid, 3.1): a timestamp, 0 for invalid, or nothing yet. */
  private String entry(DecisionPoint.CommitEntry entry) {
    List<Selection> all =
        db.store().table(entry.table()).stream()
            .flatMap(schema -> schema.families().stream())
            .map(TableSchema.FamilySchema::name)
            .map(Selection::family)
            .toList();
    List<Cell> cells =
        all.isEmpty()
            ? List.of()
            : db.store().read(new RowRead(new Row(entry.table(), entry.key()), all, 0)).cells();
    if (cells.isEmpty()) {
      return "undecided, or forgotten: no commit entry";
    }
    long commit = new Decoder(cells.get(0).value()).varint();
    return commit == 0 ? "invalid, it never commits" : "committed at " + commit;
  }
}
