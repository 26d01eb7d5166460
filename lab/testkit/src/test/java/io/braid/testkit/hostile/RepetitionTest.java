package io.braid.testkit.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Stores that send again, and stores that take items in another order. */
class RepetitionTest {
  private final Notebook notebook = new Notebook();

  /** Writes down that it ran. */
  private record Trace(List<String> runs) implements Procedure<String, String> {
    @Override
    public String name() {
      return "trace";
    }

    @Override
    public List<Row> rows(String argument) {
      return List.of(Notebook.row(argument));
    }

    @Override
    public String run(RowAccess rows, String argument) {
      runs.add(argument);
      return argument + " run " + runs.size();
    }

    @Override
    public Codec<String> argumentCodec() {
      return Codecs.utf8();
    }

    @Override
    public Codec<String> resultCodec() {
      return Codecs.utf8();
    }
  }

  @Test
  void struckItemRunsTwiceBeforeItsAnswer() {
    List<String> runs = new ArrayList<>();
    CellStore store = new ResendingStore(notebook.memory, Strike.onCalls(2));

    List<Outcome<String>> outcomes =
        store.execute(new Trace(runs), List.of("a", "b", "c"), Durability.BUFFERED);

    assertThat(runs).containsExactly("a", "b", "b", "c");
    assertThat(outcomes)
        .containsExactly(Outcome.done("a run 1"), Outcome.done("b run 3"), Outcome.done("c run 4"));
  }

  @Test
  void copyOfAnAnsweredRunArrivesAfterLaterCalls() {
    List<String> runs = new ArrayList<>();
    Trace trace = new Trace(runs);
    ResendingStore store =
        new ResendingStore(notebook.memory, Strike.onCalls(1), Strike.onCalls(2));

    for (String row : List.of("a", "b", "c")) {
      store.execute(trace, row, Durability.BUFFERED);
    }

    assertThat(runs).containsExactly("a", "a", "b", "a", "c");
    store.deliverAll();
    assertThat(runs).as("nothing wanders about any more").hasSize(5);
  }

  @Test
  void blindWriteIsNotRepeatedAfterItWasAnswered() {
    ResendingStore store = new ResendingStore(notebook.memory, Strike.always());
    Notebook.write(store, "a", "old");
    Notebook.write(notebook.memory, "a", "new");
    store.deliverAll();

    assertThat(notebook.words("a")).isEqualTo("new");
  }

  @Test
  void reorderedItemsAreAnsweredInTheirPlaces() {
    Set<List<String>> orders = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
    List<String> rows = List.of("a", "b", "c");
    CellStore store = new ReorderingStore(notebook.memory, Seeds.random(1));
    for (int i = 0; i < 100; i++) {
      List<String> runs = new ArrayList<>();
      List<Outcome<String>> outcomes = store.execute(new Trace(runs), rows, Durability.BUFFERED);
      orders.add(runs);
      for (int place = 0; place < rows.size(); place++) {
        String row = rows.get(place);
        assertThat(outcomes.get(place))
            .isEqualTo(Outcome.done(row + " run " + (runs.indexOf(row) + 1)));
      }
    }

    assertThat(orders).as("all orders of three").hasSize(6);
  }

  @Test
  void reorderedReadsAndWritesAreAnsweredInTheirPlaces() {
    CellStore store = new ReorderingStore(notebook.memory, Seeds.random(1));
    List<RowRead> reads = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Notebook.write(store, "r" + i, "word" + i);
      reads.add(RowRead.of(Notebook.row("r" + i), Selection.family("f")));
    }

    assertThat(store.read(reads)).isEqualTo(notebook.memory.read(reads));
  }
}
