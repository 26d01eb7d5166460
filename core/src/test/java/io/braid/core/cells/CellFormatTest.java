package io.braid.core.cells;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes of docs/formats/cells.md. */
class CellFormatTest {
  private static final List<DecisionPoint> DECISION_POINTS =
      List.of(
          new DecisionPoint.PrimaryCell(Row.of("accounts", "bob"), ColumnName.of("bal", "usd")),
          new DecisionPoint.CommitEntry("commits", Bytes.ofInts(0, 255)),
          new DecisionPoint.LoadRecord("load-7"));

  @ParameterizedTest
  @EnumSource(Intent.Kind.class)
  void intentsRoundTrip(Intent.Kind kind) {
    for (DecisionPoint decision : DECISION_POINTS) {
      Intent intent = new Intent(kind, decision, "owner-1", 1_780_000_000_000L, Bytes.of("$3"));
      assertThat(Intent.decode(intent.encode())).isEqualTo(intent);
    }
  }

  @ParameterizedTest
  @EnumSource(CommitRecord.Kind.class)
  void commitRecordsRoundTrip(CommitRecord.Kind kind) {
    CommitRecord record = new CommitRecord(kind, 7L << 8, Bytes.of("$3"));

    assertThat(CommitRecord.decode(record.encode(8L << 8), 8L << 8)).isEqualTo(record);
  }

  @ParameterizedTest
  @EnumSource(Notification.Kind.class)
  void notificationsRoundTrip(Notification.Kind kind) {
    for (DecisionPoint decision : DECISION_POINTS) {
      Notification notification = new Notification(kind, decision);
      assertThat(Notification.decode(notification.encode())).isEqualTo(notification);
    }
  }

  @Test
  void theBytesStayAsTheyAreSpecified() {
    CommitRecord record = new CommitRecord(CommitRecord.Kind.PUT, 1000, Bytes.of("v"));
    Intent intent = new Intent(Intent.Kind.DELETE, DECISION_POINTS.get(2), "o", 300, Bytes.EMPTY);

    assertThat(record.encode(1300).toHex()).isEqualTo("01ac0276");
    assertThat(intent.encode().toHex()).isEqualTo("0303066c6f61642d37016fac02");
    assertThat(new Notification(Notification.Kind.STRONG, DECISION_POINTS.get(0)).encode().toHex())
        .isEqualTo("0101086163636f756e747303626f620362616c03757364");
  }

  @Test
  void unknownKindsAreRefused() {
    assertThatThrownBy(() -> CommitRecord.decode(Bytes.ofInts(9, 0), 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Intent.decode(Bytes.ofInts(0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Notification.decode(Bytes.ofInts(1, 9)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void qualifiedNamesGiveTheColumnBackWhateverTheQualifierHolds() {
    ColumnName odd = new ColumnName("f", Bytes.ofInts(':', 0, 255));

    assertThat(Families.column(Families.qualified(odd))).isEqualTo(odd);
    assertThat(Families.intent(odd).qualifier().startsWith(Bytes.of("f:"))).isTrue();
    assertThat(Families.hold().compareTo(Families.intent(odd))).isNegative();
  }

  @Test
  void reservedNamesAreNoNamesOfUsers() {
    assertThatThrownBy(() -> Families.transactional("t", List.of("~intent")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Families.transactional("~braid", List.of("f")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Families.transactional("t", List.of("a:b")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
