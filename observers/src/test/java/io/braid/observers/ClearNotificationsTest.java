package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.observers.rows.ClearNotifications;
import io.braid.observers.rows.ClearNotifications.Answer;
import io.braid.observers.rows.ClearNotifications.Kind;
import io.braid.observers.rows.ClearNotifications.Request;
import io.braid.observers.rows.DeadLetter;
import io.braid.observers.rows.Epochs;
import io.braid.observers.rows.ReplayChange;
import io.braid.observers.schedule.Pauses;
import io.braid.observers.schedule.WorkQueue;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fault 31: the removal of notifications swallows no change (docs/decisions/004). */
class ClearNotificationsTest {
  private static final Row ROW = Town.row("r");
  private static final ColumnName COLUMN = A.name();
  private static final DecisionPoint PRIMARY = new PrimaryCell(ROW, COLUMN);
  private final MemoryStore store = new MemoryStore();

  @BeforeEach
  void create() {
    store.ensureTable(Families.transactional(TABLE, List.of("f")));
    notification(10);
    notification(20);
  }

  private void put(ColumnName column, long version, Bytes value) {
    store.write(List.of(RowWrite.put(ROW, new Cell(column, version, value))), Durability.BUFFERED);
  }

  private void notification(long start) {
    put(
        Families.notification(COLUMN),
        start,
        new Notification(Notification.Kind.STRONG, PRIMARY).encode());
  }

  private void intent(ColumnName column, Intent.Kind kind, long start) {
    put(Families.intent(column), start, new Intent(kind, PRIMARY, "p", 1, Bytes.EMPTY).encode());
  }

  private void committed(ColumnName column, long start, long commit) {
    CommitRecord record = new CommitRecord(CommitRecord.Kind.DELETE, start, Bytes.EMPTY);
    put(column, commit, record.encode(commit));
  }

  private Kind clear(long start, Long... versions) {
    return clear(new Request(ROW, 0, COLUMN, false, start, List.of(versions))).kind();
  }

  private Answer clear(Request request) {
    Outcome<Answer> outcome =
        store.execute(ClearNotifications.INSTANCE, request, Durability.BUFFERED);
    return ((Outcome.Done<Answer>) outcome).result();
  }

  private List<Long> left() {
    return store.read(RowRead.of(ROW, Selection.family(Families.NOTIFY))).cells().stream()
        .map(Cell::version)
        .toList();
  }

  @Test
  void aNewDeadLetterStaysWhenTheReplayOfTheOldComesTwice() {
    committed(COLUMN, 10, 15);
    DeadLetter change = new DeadLetter("o", ROW, COLUMN, 30, 3, "why", 1, 2);
    put(change.cell(), DeadLetter.VERSION, change.encode());

    // Whoever removes them has seen both notifications and the dead letter.
    store.execute(
        ReplayChange.INSTANCE,
        new ReplayChange.Request(0, ROW, "o", COLUMN, false, 20),
        Durability.BUFFERED);
    assertThat(clear(30, 10L, 20L)).isEqualTo(Kind.REMOVED);

    assertThat(store.read(RowRead.of(ROW, Selection.family(Families.DEAD_LETTERS))).cells())
        .hasSize(1);
  }

  @Test
  void anEarlierDeadLetterIsReplayed() {
    DeadLetter change = new DeadLetter("o", ROW, COLUMN, 30, 3, "why", 1, 2);
    put(change.cell(), DeadLetter.VERSION, change.encode());

    store.execute(
        ReplayChange.INSTANCE,
        new ReplayChange.Request(0, ROW, "o", COLUMN, false, 31),
        Durability.BUFFERED);

    assertThat(left()).contains(31L);
    assertThat(store.read(RowRead.of(ROW, Selection.family(Families.DEAD_LETTERS))).isEmpty())
        .isTrue();
  }

  @Test
  void removesTheVersionsThatWereSeenAndNoOthers() {
    committed(COLUMN, 10, 15);

    assertThat(clear(30, 10L)).isEqualTo(Kind.REMOVED);
    assertThat(left()).containsExactly(20L);
  }

  @Test
  void aChangeAboveTheStartKeepsThem() {
    committed(COLUMN, 20, 31);

    assertThat(clear(30, 10L, 20L)).isEqualTo(Kind.KEPT_FOR_CHANGE);
    assertThat(left()).containsExactly(20L, 10L);
    assertThat(clear(31, 10L, 20L)).isEqualTo(Kind.REMOVED);
  }

  @Test
  void aLockAboveTheStartKeepsThem() {
    CommitRecord record = new CommitRecord(CommitRecord.Kind.LOCK, 25, Bytes.EMPTY);
    put(COLUMN, 35, record.encode(35));

    assertThat(clear(30, 10L)).isEqualTo(Kind.KEPT_FOR_CHANGE);
  }

  @Test
  void anUndecidedIntentKeepsThemWhereverItsStart() {
    intent(COLUMN, Intent.Kind.PUT, 20);
    assertThat(clear(30, 10L, 20L)).isEqualTo(Kind.KEPT_FOR_INTENT);
    assertThat(clear(15, 10L, 20L)).isEqualTo(Kind.KEPT_FOR_INTENT);
    assertThat(left()).containsExactly(20L, 10L);
  }

  @Test
  void rollbackMarksAndOtherColumnsDoNotKeepThem() {
    intent(COLUMN, Intent.Kind.ROLLED_BACK, 20);
    intent(B.name(), Intent.Kind.PUT, 20);
    committed(B.name(), 5, 40);

    assertThat(clear(30, 10L, 20L)).isEqualTo(Kind.REMOVED);
    assertThat(left()).isEmpty();
  }

  @Test
  void anOldEpochIsRefused() {
    store.raiseEpoch(TABLE, 7);
    Answer stale = clear(new Request(ROW, 0, COLUMN, false, 30, List.of(10L)));
    assertThat(stale).isEqualTo(new Answer(Kind.STALE_EPOCH, 7));
    assertThat(left()).containsExactly(20L, 10L);
  }

  @Test
  void theHoldOfAGroupIsNoObstacle() {
    put(Families.hold(), 1, new Hold("group", 1, 1, ROW).encode());
    assertThat(clear(30, 10L)).isEqualTo(Kind.REMOVED);
    assertThat(left()).containsExactly(20L);
  }

  @Test
  void weakOnesAreRemovedWhateverTheColumnHolds() {
    intent(COLUMN, Intent.Kind.PUT, 20);

    Request request = new Request(ROW, 0, COLUMN, true, 30, List.of(20L));
    assertThat(clear(request).kind()).isEqualTo(Kind.REMOVED);
    assertThat(left()).containsExactly(10L);
  }

  @Test
  void theClientLearnsANewEpochAndSendsWhatItGathered() {
    SystemSeams seams = new SystemSeams();
    Pauses pauses = new Pauses(seams, Duration.ofMillis(1), Duration.ofMillis(2));
    WorkQueue queue = new WorkQueue(10, 10);
    NotificationCleaner cleaner =
        new NotificationCleaner(store, new Epochs(store), queue, pauses, seams);
    cleaner.clear(ROW, COLUMN, false, 30, List.of(10L));
    assertThat(left()).containsExactly(20L, 10L);
    cleaner.flush();
    assertThat(left()).containsExactly(20L);
    store.raiseEpoch(TABLE, 7);
    cleaner.clear(ROW, COLUMN, false, 30, List.of(20L));
    cleaner.flush();
    assertThat(left()).isEmpty();
    assertThat(queue.size()).isZero();
  }

  @Test
  void whatCannotBeRemovedIsVisitedAgain() {
    SystemSeams seams = new SystemSeams();
    Pauses pauses = new Pauses(seams, Duration.ofMillis(1), Duration.ofMillis(2));
    WorkQueue queue = new WorkQueue(10, 10);
    NotificationCleaner cleaner =
        new NotificationCleaner(store, new Epochs(store), queue, pauses, seams);
    intent(COLUMN, Intent.Kind.PUT, 20);
    cleaner.clear(ROW, COLUMN, false, 30, List.of(10L));
    cleaner.flush();
    assertThat(left()).containsExactly(20L, 10L);
    assertThat(queue.size()).isEqualTo(1);
    assertThat(queue.take(Long.MAX_VALUE)).extracting(WorkQueue.Work::hints).isNull();
  }

  @Test
  void argumentsAndAnswersSurviveTheirCodecs() {
    Request request = new Request(ROW, 7, COLUMN, true, 30, List.of(20L, 10L));
    var arguments = ClearNotifications.INSTANCE.argumentCodec();
    assertThat(arguments.decode(arguments.encode(request))).isEqualTo(request);
    var answers = ClearNotifications.INSTANCE.resultCodec();
    Answer answer = new Answer(Kind.STALE_EPOCH, 300);
    assertThat(answers.decode(answers.encode(answer))).isEqualTo(answer);
    Registration registration = new Registration("o", TABLE, COLUMN, true);
    var changes = ChangeRegistration.INSTANCE.argumentCodec();
    var standings = ChangeRegistration.INSTANCE.resultCodec();
    for (ChangeRegistration.Kind kind : ChangeRegistration.Kind.values()) {
      Registration wanted = kind == ChangeRegistration.Kind.REGISTER ? registration : null;
      var change = new ChangeRegistration.Request("o", 300, kind, wanted, 7);
      assertThat(changes.decode(changes.encode(change))).isEqualTo(change);
      var standing = new ChangeRegistration.RegistrationState(wanted, true);
      assertThat(standings.decode(standings.encode(standing))).isEqualTo(standing);
    }
  }
}
