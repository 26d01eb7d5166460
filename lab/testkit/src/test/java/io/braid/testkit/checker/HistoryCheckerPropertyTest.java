package io.braid.testkit.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.Longs;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checker against histories that are legal, or not, by construction or by definition. */
class HistoryCheckerPropertyTest {

  @Test
  void whatTheModelDoesIsValid() {
    for (int seed = 0; seed < 300; seed++) {
      int keys = 1 + seed % 20;
      List<HistoryEntry> history = SnapshotModel.run(seed, 1 + seed % 9, 200, keys);
      Verdict verdict = HistoryChecker.check(history);
      assertThat(verdict.valid()).as("seed %s: %s", seed, verdict.toText()).isTrue();
      assertThat(verdict.counts().get("ok")).isGreaterThan(30);
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneInjectedAnomalyIsFound(Mutations mutation) {
    int injected = 0;
    for (int seed = 0; seed < 200; seed++) {
      List<HistoryEntry> legal = SnapshotModel.run(seed, 5, 100, 4);
      Optional<List<HistoryEntry>> mutated = mutation.apply(legal, new Random(seed));
      if (mutated.isPresent()) {
        injected++;
        Verdict verdict = HistoryChecker.check(mutated.get());
        assertThat(verdict.valid()).as("seed %s", seed).isFalse();
      }
    }
    assertThat(injected).isGreaterThan(100);
  }

  /** Random small histories, nearly all of them illegal, and legal ones with a random change. */
  @Test
  void verdictIsThatOfTheDefinition() {
    int valid = 0;
    int invalid = 0;
    for (int seed = 0; seed < 5_000; seed++) {
      List<HistoryEntry> history = small(new Random(seed));
      boolean explained = AllOrders.explain(history);
      Verdict verdict = HistoryChecker.check(history);
      assertThat(verdict.valid())
          .as("seed %s: %s\n%s", seed, history, verdict.toText())
          .isEqualTo(explained);
      valid += explained ? 1 : 0;
      invalid += explained ? 0 : 1;
    }
    assertThat(valid).isGreaterThan(500);
    assertThat(invalid).isGreaterThan(500);
  }

  /**
   * Up to four transactions over two keys, then a read of both, so that every version order is
   * known. Each read is a prefix of the final list: of a legal length, or of any.
   */
  private static List<HistoryEntry> small(Random random) {
    List<HistoryEntry> legal = SnapshotModel.run(random.nextLong(), 3, 1 + random.nextInt(4), 2);
    List<HistoryEntry> history = new ArrayList<>();
    Map<String, Longs> end = finalLists(legal);
    for (HistoryEntry entry : legal.subList(0, legal.size() - 1)) {
      history.add(disturb(entry, end, random));
    }
    history.add(legal.get(legal.size() - 1));
    return history;
  }

  private static Map<String, Longs> finalLists(List<HistoryEntry> history) {
    Map<String, Longs> lists = new HashMap<>();
    for (Op op : history.get(history.size() - 1).ops()) {
      if (op instanceof Op.Read read) {
        lists.put(read.key(), read.values());
      }
    }
    return lists;
  }

  private static HistoryEntry disturb(HistoryEntry entry, Map<String, Longs> end, Random random) {
    List<Op> ops = new ArrayList<>();
    for (Op op : entry.ops()) {
      boolean change = random.nextInt(3) == 0;
      if (op instanceof Op.Read read && change) {
        Longs list = end.getOrDefault(read.key(), Longs.EMPTY);
        ops.add(new Op.Read(read.key(), list.first(random.nextInt(list.size() + 1))));
      } else {
        ops.add(op);
      }
    }
    long start =
        random.nextInt(3) == 0 ? Math.max(0, entry.start() - random.nextInt(8)) : entry.start();
    long shift =
        random.nextInt(3) == 0 ? Math.min(random.nextInt(8), entry.end() - entry.start()) : 0;
    return new HistoryEntry(
        entry.process(), entry.type(), start, entry.end() - shift, ops, -1, -1, null);
  }
}
