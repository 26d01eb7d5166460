package io.braid.omid;

import static io.braid.omid.Lab.X;
import static io.braid.omid.Lab.row;
import static io.braid.omid.Lab.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.cells.Families;
import io.braid.core.cells.Hold;
import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.RowChange;
import io.braid.testkit.hostile.Call;
import io.braid.testkit.runtime.ManualSeams;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Fault 13: what was refused does not happen later. Stores resend, so copies of a fast write may
 * arrive when nothing is in its way any more.
 */
class LateFastWritesTest {
  private static final String FAST = "omid.fast-write";
  private static final Row A = row("a");

  private final Lab lab = new Lab();
  private final OmidTransactions db = lab.process("p");
  private final FastSession fast = db.fast();

  /** Every call of a fast write from now on; to be run again. */
  private List<Call<?>> copies(int calls) {
    List<Call<?>> copies = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      lab.store.on(FAST).after(copies::add);
    }
    return copies;
  }

  /** Fault 13: what was refused does not happen later, when nothing is in its way any more. */
  @Test
  void aRefusedFastWriteThatArrivesAgainIsRefused() {
    lab.dieBefore("q", "omid.decide-entry", Lab.prepare(lab.process("q"), "1", "a"));
    List<Call<?>> copies = copies(1);
    FastSession.Request request = fast.request();
    assertThatThrownBy(() -> fast.write(request, RowChange.of(A).set(X, "late")))
        .isInstanceOf(ConflictException.class);
    db.sweep().sweep();
    fast.write(A, X, "2");
    copies.forEach(Call::run);
    assertThat(fast.read(A, X)).contains("2");
    assertThatThrownBy(() -> fast.write(request, RowChange.of(A).set(X, "late")))
        .isInstanceOf(ConflictException.class);
    assertThat(db.snapshot().get(A, X)).contains("2");
    // Collected below the low watermark; then that refuses the copies.
    lab.memory.raiseWatermark(lab.oracle.next());
    copies.forEach(Call::run);
    assertThat(fast.read(A, X)).contains("2");
  }

  /** Fault 13: nor when a regular transaction has written it instead. */
  @Test
  void aFastWriteThatBecameARegularOneIsNotWrittenAgain() {
    FastSession either = db.fast(FastOptions.DEFAULT.orRegular(true));
    lab.dieBefore("q", "omid.decide-entry", Lab.prepare(lab.process("q"), "1", "a"));
    List<Call<?>> copies = copies(1);
    either.write(A, X, "2");
    db.postCommit().workSome();
    write(db, "3", "a");
    db.postCommit().workSome();
    db.sweep().sweep();
    copies.forEach(Call::run);
    assertThat(fast.read(A, X)).contains("3");
  }

  /** A process whose store is in it: no message comes twice. */
  private OmidTransactions withoutMessages() {
    CellStore own =
        new ForwardingStore(lab.store) {
          @Override
          public boolean resends() {
            return false;
          }
        };
    return new OmidTransactions(
        own, lab.manager, lab.oracle, new ManualSeams(lab.clocks, "own"), lab.options);
  }

  /** A mark would cost every reader of the row a look, until garbage is collected. */
  @Test
  void whereNothingComesTwiceARefusalLeavesNoMark() {
    lab.dieBefore("q", "omid.decide-entry", Lab.prepare(lab.process("q"), "1", "a"));
    FastSession own = withoutMessages().fast();
    assertThatThrownBy(() -> own.write(A, X, "2")).isInstanceOf(ConflictException.class);
    db.sweep().sweep();
    assertThat(lab.tentative()).isEmpty();
    own.write(A, X, "3");
    assertThat(fast.read(A, X)).contains("3");
  }

  /** Fault 13: a name may be used again by whoever knows it. */
  @Test
  void aNamedWriteThatWasRefusedIsUsedUpEverywhere() {
    lab.dieBefore("q", "omid.decide-entry", Lab.prepare(lab.process("q"), "1", "a"));
    FastSession own = withoutMessages().fast();
    FastSession.Request request = own.request();
    assertThatThrownBy(() -> own.write(request, RowChange.of(A).set(X, "late")))
        .isInstanceOf(ConflictException.class);
    db.sweep().sweep();
    assertThatThrownBy(() -> own.write(request, RowChange.of(A).set(X, "late")))
        .isInstanceOf(ConflictException.class);
    assertThat(fast.read(A, X)).isEmpty();
  }

  /** Fault 14: a call without an answer may yet be executed, wherever the store is. */
  @Test
  void aRefusalAfterACallWithoutAnAnswerLeavesAMarkEverywhere() {
    lab.dieBefore("q", "omid.decide-entry", Lab.prepare(lab.process("q"), "1", "a"));
    List<Call<?>> late = new ArrayList<>();
    lab.store.on(FAST).lose(late::add);
    FastSession own = withoutMessages().fast();
    assertThatThrownBy(() -> own.write(A, X, "late")).isInstanceOf(ConflictException.class);
    db.sweep().sweep();
    late.forEach(Call::run);
    assertThat(fast.read(A, X)).isEmpty();
  }

  @Test
  void aFastWriteThatMetAHoldIsNotWrittenWhenTheHoldIsGone() {
    Hold hold = new Hold("game", 7, 1, row("leader"));
    lab.memory.write(
        List.of(RowWrite.put(A, new Cell(Families.hold(), 7, hold.encode()))), Durability.BUFFERED);
    List<Call<?>> copies = copies(1);
    assertThatThrownBy(() -> fast.write(A, X, "late")).isInstanceOf(KeyHeldByGroupException.class);
    lab.memory.write(List.of(RowWrite.remove(A, Families.hold(), 7)), Durability.BUFFERED);
    fast.write(A, X, "2");
    copies.forEach(Call::run);
    assertThat(fast.read(A, X)).contains("2");
  }

  @Test
  void aFastWriteThatFoundNoTimestampIsNotWrittenWhenThereAreSomeAgain() {
    for (int i = 1; i < Timestamp.STEP; i++) {
      fast.write(A, X, "1");
    }
    lab.oracle.onNext =
        () -> {
          throw new TimestampUnavailableException("not now");
        };
    List<Call<?>> copies = copies(3);
    assertThatThrownBy(() -> fast.write(A, X, "late"))
        .isInstanceOf(TimestampUnavailableException.class);
    lab.oracle.onNext = () -> {};
    fast.write(A, X, "2");
    copies.forEach(Call::run);
    assertThat(fast.read(A, X)).contains("2");
  }

  /** A deletion that was in the way of a condition may be collected: the copy is refused then. */
  @Test
  void aConditionThatFailedAtADeletionDoesNotHoldLater() {
    long version = fast.write(A, X, "1");
    fast.write(RowChange.of(A).delete(X));
    List<Call<?>> copies = copies(1);
    assertThatThrownBy(() -> fast.writeIf(version, A, X, "late"))
        .isInstanceOf(ConflictException.class);
    for (Cell each : lab.memory.read(RowRead.of(A, Selection.column(X.name()))).cells()) {
      lab.memory.write(List.of(RowWrite.remove(A, X.name(), each.version())), Durability.BUFFERED);
    }
    copies.forEach(Call::run);
    assertThat(fast.read(A, X)).isEmpty();
  }
}
