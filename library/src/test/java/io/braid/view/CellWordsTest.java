package io.braid.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import org.junit.jupiter.api.Test;

/** Every kind of cell that a row may have is told in words (Percolator, figures 4 and 5). */
class CellWordsTest {
  private static final ColumnName BALANCE = ColumnName.of("bal", "usd");
  private static final DecisionPoint PRIMARY =
      new DecisionPoint.PrimaryCell(Row.of("accounts", "bob"), BALANCE);

  private static String described(ColumnName column, Bytes value) {
    return CellWords.of(new Cell(column, 8, value));
  }

  @Test
  void lockAndData() {
    Intent put = new Intent(Intent.Kind.PUT, PRIMARY, "owner", 1, Bytes.of("$3"));
    assertThat(described(Families.intent(BALANCE), put.encode()))
        .isEqualTo("intent to put $3, primary accounts/bob/bal:usd");
    Intent mark = new Intent(Intent.Kind.ROLLED_BACK, PRIMARY, "", 0, Bytes.EMPTY);
    assertThat(described(Families.intent(BALANCE), mark.encode())).isEqualTo("rolled back");
    assertThat(described(Families.large(BALANCE), Bytes.of("$3"))).isEqualTo("2 bytes");
  }

  @Test
  void write() {
    CommitRecord put = new CommitRecord(CommitRecord.Kind.PUT, 7, Bytes.of("$3"));
    assertThat(described(BALANCE, put.encode(8))).isEqualTo("put $3 @ 7");
    CommitRecord lock = new CommitRecord(CommitRecord.Kind.LOCK, 7, Bytes.EMPTY);
    assertThat(described(BALANCE, lock.encode(8))).isEqualTo("lock only @ 7");
  }

  @Test
  void notificationAndAcknowledgment() {
    Notification strong = new Notification(Notification.Kind.STRONG, PRIMARY);
    assertThat(described(Families.notification(BALANCE), strong.encode()))
        .isEqualTo("strong notification");
    CommitRecord ack = new CommitRecord(CommitRecord.Kind.PUT, 7, Bytes.ofLong(7));
    assertThat(described(Families.acknowledgment("o", BALANCE), ack.encode(8)))
        .isEqualTo("acknowledged by the run begun at 7");
  }
}
