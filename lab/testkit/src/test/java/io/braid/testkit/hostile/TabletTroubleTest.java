package io.braid.testkit.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stores that split at the wrong moment, know old tablets only, and take their time. */
class TabletTroubleTest {
  private final Notebook notebook = new Notebook();

  @Test
  void splitEndsTogethernessJustBeforeTheItem() {
    CellStore store = new SplittingStore(notebook.memory, Strike.onCalls(1));
    assertThat(store.together(List.of(Notebook.row("a"), Notebook.row("b")))).isTrue();

    Outcome<String> outcome = Notebook.add(store, "a,b=1");

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.NotExecuted.class,
            refused -> assertThat(refused.reason()).isEqualTo(Outcome.Reason.NOT_TOGETHER));
    assertThat(Notebook.keys(notebook.memory)).isEmpty();
    assertThat(store.tablets(Notebook.TABLE)).hasSize(2);
  }

  @Test
  void splitsDoNotDisturbAScan() {
    Notebook.add(notebook.memory, List.of("a=1", "b=2", "c=3"));
    CellStore store = new SplittingStore(notebook.memory, Strike.always());

    assertThat(Notebook.keys(store)).containsExactly("a", "b", "c");
    assertThat(store.tablets(Notebook.TABLE)).hasSize(4);
  }

  @Test
  void staleListIsTheOneBeforeTheSplits() {
    CellStore store = new StaleTabletsStore(notebook.memory, Strike.onCalls(1));
    store.splitTablet(Notebook.TABLE, Bytes.of("m"));
    store.splitTablet(Notebook.TABLE, Bytes.of("p"));

    assertThat(store.tablets(Notebook.TABLE)).hasSize(1);
    assertThat(store.tablets(Notebook.TABLE)).hasSize(3);
  }

  @Test
  void staleListOfADroppedTableIsForgotten() {
    CellStore store = new StaleTabletsStore(notebook.memory, Strike.always());
    store.splitTablet(Notebook.TABLE, Bytes.of("m"));
    store.dropTable(Notebook.TABLE);
    Notebook other = new Notebook();
    store.ensureTable(other.memory.table(Notebook.TABLE).orElseThrow());
    notebook.memory.splitTablet(Notebook.TABLE, Bytes.of("x"));

    assertThat(store.tablets(Notebook.TABLE)).hasSize(2);
  }

  @Test
  void delaysPassThroughTheSeams() {
    List<Duration> slept = new ArrayList<>();
    Seams seams = sleepingInto(slept);
    CellStore store =
        new DelayingStore(notebook.memory, seams, Strike.always(), Duration.ofMillis(10));

    Notebook.add(store, "a=1");
    Notebook.write(store, "b", "2");
    store.read(RowRead.of(Notebook.row("a"), Selection.family("f")));
    store.tablets(Notebook.TABLE);
    assertThat(slept).hasSize(8);
    assertThat(Notebook.keys(store)).containsExactly("a", "b");

    assertThat(slept).hasSize(8 + 2 + 2 * 3);
    assertThat(slept).allMatch(duration -> duration.toNanos() > 0 && duration.toMillis() <= 10);
  }

  @Test
  void troublesCanBePutAroundOneAnother() {
    CellStore store =
        new RefusingStore(
            new LostAnswerStore(notebook.memory, Strike.onCalls(1)), Strike.onCalls(1));

    assertThat(Notebook.add(store, "a=1")).isInstanceOf(Outcome.NotExecuted.class);
    assertThat(Notebook.add(store, "a=1")).isInstanceOf(Outcome.Unknown.class);
    assertThat(Notebook.add(store, "a=1")).isEqualTo(Outcome.done("added 1"));
    store.close();
    assertThatThrownBy(notebook.memory::tables).isInstanceOf(TabletUnavailableException.class);
  }

  /** Seams that remember sleeps instead of sleeping. */
  private static Seams sleepingInto(List<Duration> slept) {
    Seams system = new SystemSeams();
    return (Seams)
        Proxy.newProxyInstance(
            Seams.class.getClassLoader(),
            new Class<?>[] {Seams.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("sleep")) {
                slept.add((Duration) arguments[0]);
                return null;
              }
              return method.invoke(system, arguments);
            });
  }
}
