package io.braid.view;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.groups.rows.ShippedPosition;
import java.util.Locale;

/** Cells of the row format in words, in the manner of figure 4 of the Percolator paper. */
public final class CellWords {
  private static final int SHOWN_BYTES = 60;

  private CellWords() {}

  /** Describes a cell in words. */
  public static String of(Cell cell) {
    String family = cell.column().family();
    if (family.equals(Families.INTENT)) {
      Intent intent = Intent.decode(cell.value());
      return switch (intent.kind()) {
        case ROLLED_BACK -> "rolled back";
        case HOLD -> "held by group " + intent.owner();
        default ->
            "intent to " + word(intent.kind().name(), intent.value()) + ", " + intent.decision();
      };
    }
    if (family.equals(Families.NOTIFY)) {
      return Notification.decode(cell.value()).kind().name().toLowerCase(Locale.ROOT)
          + " notification";
    }
    if (family.equals(Families.DEAD_LETTERS)) {
      return "dead letter";
    }
    if (isShippedPosition(cell)) {
      return shippedPosition(cell);
    }
    if (family.equals(Families.ACK)) {
      return acknowledgment(cell);
    }
    if (family.endsWith("~large")) {
      return cell.value().length() + " bytes";
    }
    return record(cell);
  }

  /** Whether a cell is about the group that the row leads, and about no column of the user. */
  static boolean isShippedPosition(Cell cell) {
    return cell.column().equals(ShippedPosition.COLUMN.name());
  }

  private static String shippedPosition(Cell cell) {
    CommitRecord record = CommitRecord.decode(cell.value(), cell.version());
    if (record.kind() != CommitRecord.Kind.PUT) {
      return record(cell);
    }
    ShippedPosition at = ShippedPosition.CODEC.decode(record.value());
    return "commits of group " + at.group() + " are here up to position " + at.position();
  }

  private static String acknowledgment(Cell cell) {
    CommitRecord record = CommitRecord.decode(cell.value(), cell.version());
    return record.value().length() == Long.BYTES
        ? "acknowledged by the run begun at " + record.value().longAt(0)
        : record(cell);
  }

  private static String record(Cell cell) {
    CommitRecord record = CommitRecord.decode(cell.value(), cell.version());
    return word(record.kind().name(), record.value()) + " @ " + record.start();
  }

  private static String word(String kind, Bytes value) {
    return switch (kind) {
      case "PUT" -> "put " + shown(value);
      case "PUT_LARGE" -> "put a large value";
      case "DELETE" -> "delete";
      default -> "lock only";
    };
  }

  private static String shown(Bytes value) {
    return value.length() <= SHOWN_BYTES
        ? ByteText.show(value)
        : ByteText.show(value.slice(0, SHOWN_BYTES)) + "... (" + value.length() + " bytes)";
  }
}
