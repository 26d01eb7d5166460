package io.braid.benchmarks.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.benchmarks.Report;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The benchmark measures what section 6 of the G-Store paper says. */
class GroupExperimentsTest {
  @Test
  void everyFigureIsThereForBothDesigns() throws Exception {
    GroupsPlan plan = new GroupsPlan();
    plan.quick = true;
    plan.rows = 2000;
    plan.clients = new int[] {2};
    plan.seconds = 0.01;
    plan.pause = 0.1;
    plan.durability = "buffered";
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    GroupExperiments.run(
        plan,
        RocksBed::create,
        new Report("groups", new PrintStream(out, true, StandardCharsets.UTF_8)));
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    for (Design design : Design.values()) {
      for (String figure : List.of("create, median", "create and delete", "in a group")) {
        assertThat(lines)
            .anyMatch(line -> line.contains(figure) && line.contains("\"" + design.word() + "\""));
      }
    }
    assertThat(lines)
        .anyMatch(line -> line.contains("create and delete, messages"))
        .anyMatch(line -> line.contains("raw store, no guarantees"))
        .anyMatch(line -> line.contains("memory of a live group"));
    assertThat(lines.get(lines.size() - 1)).contains("latency to raw, 100 operations");
  }

  @Test
  void keysOfARangeFollowEachOtherAndOthersDoNot() {
    Players players = new Players(1000, 8, Durability.BUFFERED);
    List<Row> range = players.choose(20, true, new SplittableRandom(1));
    assertThat(range).isSorted().hasSize(20);
    int first = IntStream.range(0, 1000).filter(i -> players.row(i).equals(range.get(0))).sum();
    assertThat(range).last().isEqualTo(players.row(first + 19));
    List<Row> any = players.choose(20, false, new SplittableRandom(1));
    assertThat(any).doesNotHaveDuplicates().hasSize(20);
    assertThat(any.stream().sorted().toList()).isNotEqualTo(any);
  }

  @Test
  void sizesAreNormallyDistributed() {
    SplittableRandom random = new SplittableRandom(5);
    int[] drawn = IntStream.range(0, 2000).map(i -> GroupsPlan.about(50, random)).toArray();
    double mean = IntStream.of(drawn).average().orElseThrow();
    double variance = IntStream.of(drawn).mapToDouble(d -> (d - mean) * (d - mean)).sum() / 2000;
    assertThat(mean).isBetween(49.0, 51.0);
    assertThat(Math.sqrt(variance)).isBetween(4.5, 5.5);
  }

  @Test
  void groupsThatLiveAtOnceLeaveHalfOfTheTableFree() {
    GroupsPlan plan = new GroupsPlan();
    plan.rows = 20_000;
    assertThat(plan.clientsFor(100)).containsExactly(1, 20, 60);
    assertThat(plan.clientsFor(10_000)).containsExactly(1);
    assertThat(plan.clientsFor(100_000)).isEmpty();
  }
}
