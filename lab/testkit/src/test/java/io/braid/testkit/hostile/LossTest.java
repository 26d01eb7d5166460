package io.braid.testkit.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.store.CellStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stores that refuse, lose calls, lose answers, and deliver late. */
class LossTest {
  private final Notebook notebook = new Notebook();

  @Test
  void refusedItemIsNotExecutedAndOthersAre() {
    CellStore store = new RefusingStore(notebook.memory, Strike.onCalls(2));

    List<Outcome<String>> outcomes = Notebook.add(store, List.of("a=1", "b=2", "c=3"));

    assertThat(outcomes.get(0)).isEqualTo(Outcome.done("added 1"));
    assertThat(outcomes.get(1))
        .isInstanceOfSatisfying(
            Outcome.NotExecuted.class,
            refused -> assertThat(refused.reason()).isEqualTo(Outcome.Reason.UNAVAILABLE));
    assertThat(outcomes.get(2)).isEqualTo(Outcome.done("added 3"));
    assertThat(Notebook.keys(notebook.memory)).containsExactly("a", "c");
  }

  @Test
  void refusedReadsFindTheTabletUnavailable() {
    CellStore store = new RefusingStore(notebook.memory, Strike.always());
    RowRead read = RowRead.of(Notebook.row("a"), Selection.family("f"));

    assertThatThrownBy(() -> store.read(read)).isInstanceOf(TabletUnavailableException.class);
    assertThatThrownBy(() -> store.scan(Notebook.everything()))
        .isInstanceOf(TabletUnavailableException.class);
    assertThatThrownBy(() -> store.tablets(Notebook.TABLE))
        .isInstanceOf(TabletUnavailableException.class);
    assertThat(Notebook.write(store, "a", "x")).isInstanceOf(Outcome.NotExecuted.class);
    assertThat(notebook.words("a")).isEmpty();
  }

  @Test
  void brokenScanStaysBroken() {
    Notebook.add(notebook.memory, List.of("a=1", "b=2", "c=3"));
    CellStore store = new RefusingStore(notebook.memory, Strike.onCalls(2).among(Strike.NEXT));
    try (RowScanner scanner = store.scan(Notebook.everything())) {
      assertThat(scanner.next()).isNotNull();
      assertThatThrownBy(scanner::next).isInstanceOf(TabletUnavailableException.class);
      assertThatThrownBy(scanner::next).isInstanceOf(TabletUnavailableException.class);
    }

    assertThat(Notebook.keys(store)).as("opened again").containsExactly("a", "b", "c");
  }

  @Test
  void lostCallIsUnknownAndNotExecuted() {
    CellStore store = new LostCallStore(notebook.memory, Strike.onCalls(1, 2));

    assertThat(Notebook.add(store, "a=1")).isInstanceOf(Outcome.Unknown.class);
    assertThat(Notebook.write(store, "a", "x")).isInstanceOf(Outcome.Unknown.class);
    assertThat(notebook.words("a")).isEmpty();
    assertThat(Notebook.add(store, "a=3")).isEqualTo(Outcome.done("added 3"));
  }

  @Test
  void lostAnswerIsUnknownAndExecuted() {
    CellStore store = new LostAnswerStore(notebook.memory, Strike.onCalls(1, 2));

    assertThat(Notebook.add(store, "a=1")).isInstanceOf(Outcome.Unknown.class);
    assertThat(notebook.words("a")).isEqualTo("1");
    assertThat(Notebook.write(store, "a", "x")).isInstanceOf(Outcome.Unknown.class);
    assertThat(notebook.words("a")).isEqualTo("x");
  }

  @Test
  void lateCallArrivesAfterLaterOnes() {
    LateStore store = new LateStore(notebook.memory, Strike.onCalls(1), Strike.never());

    assertThat(Notebook.add(store, "a=1")).isInstanceOf(Outcome.Unknown.class);
    Notebook.add(store, "a=2");
    assertThat(notebook.words("a")).isEqualTo("2");
    assertThat(store.lateCalls()).isEqualTo(1);
    store.deliverAll();

    assertThat(notebook.words("a")).isEqualTo("2 1");
    assertThat(store.lateCalls()).isZero();
  }

  @Test
  void lateCallsArriveByThemselves() {
    LateStore store = new LateStore(notebook.memory, Strike.onCalls(1), Strike.onCalls(2));

    Notebook.add(store, "a=1");
    Notebook.add(store, "a=2");
    assertThat(notebook.words("a")).isEqualTo("2");
    Notebook.add(store, "a=3");

    assertThat(notebook.words("a")).isEqualTo("2 1 3");
  }

  @Test
  void lateCallToADroppedTableIsForgotten() {
    LateStore store = new LateStore(notebook.memory, Strike.always(), Strike.never());
    Notebook.add(store, "a=1");
    store.dropTable(Notebook.TABLE);
    store.deliverAll();

    assertThat(store.lateCalls()).isZero();
  }
}
