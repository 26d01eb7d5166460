package io.braid.batch.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.runtime.SystemSeams;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which snapshots a receiver imports next (algorithms 2 to 5). */
class ArrivalsTest {
  private int number;

  private SnapshotName of(String tablet) {
    KeyRange range = new KeyRange(Bytes.of(tablet), Bytes.of(tablet + "z"));
    return SnapshotName.of("t", range, 1, ++number);
  }

  private List<SnapshotName> fill(Arrivals arrivals, String... tablets) {
    List<SnapshotName> added = new ArrayList<>();
    for (String tablet : tablets) {
      SnapshotName name = of(tablet);
      added.add(name);
      arrivals.add(name);
    }
    return added;
  }

  private static List<SnapshotName> taken(@Nullable List<SnapshotName> names) {
    return Objects.requireNonNull(names);
  }

  /** Pages of a tablet that was imported last are in memory: its snapshots come first. */
  @Test
  void importSortStaysWithATabletAsLongAsItHasSnapshots() {
    Arrivals arrivals = new Arrivals(new SystemSeams(), Algorithm.IMPORT_SORT);
    List<SnapshotName> all = fill(arrivals, "a", "b", "c", "b", "c", "b", "a");
    arrivals.complete();
    List<SnapshotName> order = new ArrayList<>();
    String last = all.get(1).tablet();
    for (List<SnapshotName> next = arrivals.take(last); next != null; next = arrivals.take(last)) {
      assertThat(next).hasSize(1);
      order.add(next.get(0));
      last = next.get(0).tablet();
    }
    assertThat(order).hasSize(7).containsAll(all);
    assertThat(order.subList(0, 3)).containsExactly(all.get(1), all.get(3), all.get(5));
    long changes = 0;
    for (int i = 1; i < order.size(); i++) {
      changes += order.get(i).tablet().equals(order.get(i - 1).tablet()) ? 0 : 1;
    }
    assertThat(changes).as("of tablets").isEqualTo(2);
  }

  /** Otherwise any: receivers that all began with the first would wait for one another. */
  @Test
  void importSortBeginsWithAnyTablet() {
    Set<String> first = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      Arrivals arrivals = new Arrivals(new SystemSeams(), Algorithm.IMPORT_SORT);
      fill(arrivals, "a", "b", "c");
      first.add(taken(arrivals.take(null)).get(0).tablet());
    }
    assertThat(first).hasSize(3);
  }

  @Test
  void vanillaSortMergesAllOfTheTabletThatHasTheMost() {
    Arrivals arrivals = new Arrivals(new SystemSeams(), Algorithm.VANILLA_SORT);
    List<SnapshotName> all = fill(arrivals, "a", "b", "c", "b", "c", "b", "a");
    assertThat(taken(arrivals.take(all.get(0).tablet())))
        .containsExactly(all.get(1), all.get(3), all.get(5));
    List<SnapshotName> late = fill(arrivals, "c");
    assertThat(taken(arrivals.take(null))).containsExactly(all.get(2), all.get(4), late.get(0));
    assertThat(taken(arrivals.take(null))).containsExactly(all.get(0), all.get(6));
    arrivals.complete();
    assertThat(arrivals.take(null)).isNull();
  }

  /** Each has a buffer. */
  @Test
  void vanillaSortMergesSoManyAtMost() {
    Arrivals arrivals = new Arrivals(new SystemSeams(), Algorithm.VANILLA_SORT);
    for (int i = 0; i < 1000; i++) {
      fill(arrivals, "a");
    }
    arrivals.complete();
    assertThat(taken(arrivals.take(null))).hasSize(512);
    assertThat(taken(arrivals.take(null))).hasSize(488);
    assertThat(arrivals.take(null)).isNull();
  }

  /** Of records with one key the last counts, so that all of them have to be there. */
  @Test
  void hadoopSortImportsWhenAllTasksAreDone() throws Exception {
    Arrivals arrivals = new Arrivals(new SystemSeams(), Algorithm.HADOOP_SORT);
    for (int i = 0; i < 600; i++) {
      fill(arrivals, "a", "b");
    }
    CompletableFuture<List<SnapshotName>> first =
        CompletableFuture.supplyAsync(() -> taken(arrivals.take(null)));
    assertThatThrownBy(() -> first.get(200, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    arrivals.complete();
    assertThat(first.get(20, TimeUnit.SECONDS)).hasSize(600);
    assertThat(taken(arrivals.take(null))).hasSize(600);
    assertThat(arrivals.take(null)).isNull();
  }

  @Test
  void nothingIsGivenOutWhenALoadIsAbandoned() {
    for (Algorithm each : List.of(Algorithm.IMPORT_SORT, Algorithm.HADOOP_SORT)) {
      Arrivals arrivals = new Arrivals(new SystemSeams(), each);
      fill(arrivals, "a");
      arrivals.close();
      assertThat(arrivals.take(null)).isNull();
    }
  }
}
