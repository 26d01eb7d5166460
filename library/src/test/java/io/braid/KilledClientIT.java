package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.store.rocksdb.RocksOptions;
import io.braid.store.rocksdb.RocksStore;
import io.braid.testkit.hostile.ScriptedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Faults 8, 9 and 24: a client of Omid's protocol is killed (SIGKILL) at each step of its commit.
 * Whoever opens the database next finds all of the transaction or nothing, and nothing stands in
 * the way.
 */
class KilledClientIT {
  private static final Column<Long> MONEY = Column.of("f", "money", Codecs.int64());
  private static final Row ANN = Row.of("accounts", "ann");
  private static final Row ZOE = Row.of("accounts", "zoe");

  @TempDir Path data;

  /** Moves money, and is killed. */
  static final class Victim {
    private Victim() {}

    public static void main(String[] args) {
      Path data = Path.of(args[0]);
      try (Braid db = Braid.over(RocksStore.open(data, options()), BraidConfig.defaults())) {
        db.ensureTable("accounts", Protocol.OMID, "f");
        move(db, 100, 100);
      }
      ScriptedStore store = new ScriptedStore(RocksStore.open(data, options()));
      Braid db = Braid.over(store, config(args[2]));
      if (args[1].equals("before")) {
        store.on(args[2]).before(call -> die());
      } else {
        store.on(args[2]).after(call -> die());
      }
      move(db, 70, 130);
      // The post-commit comes later, if it is what is waited for.
      db.close();
    }

    /** Where a step of the regular way is asked for, nothing commits in one phase. */
    private static BraidConfig config(String step) {
      return BraidConfig.defaults()
          .with(Setting.ONE_PHASE, step.equals("omid.one-phase-commit") ? "store" : "off");
    }

    private static void die() {
      try {
        new ProcessBuilder("kill", "-KILL", String.valueOf(ProcessHandle.current().pid()))
            .start()
            .waitFor();
        TimeUnit.MINUTES.sleep(1);
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static RocksOptions options() {
    return RocksOptions.defaults().withMemoryBytes(32 << 20);
  }

  private static void move(Braid db, long ann, long zoe) {
    db.run(
        tx -> {
          tx.set(ANN, MONEY, ann);
          tx.set(ZOE, MONEY, zoe);
          return 0;
        });
  }

  @ParameterizedTest
  @CsvSource({
    "after,  omid.write-tentative,  100",
    "before, omid.decide-entry,     100",
    "after,  omid.decide-entry,     70",
    "after,  omid.post-commit,      70",
    "before, omid.one-phase-commit, 100",
    "after,  omid.one-phase-commit, 70"
  })
  void allOrNothingIsThereAndNothingIsInTheWay(String when, String step, long ann)
      throws Exception {
    Process victim =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName(),
                data.toString(),
                when,
                step)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(victim.waitFor(4, TimeUnit.MINUTES)).isTrue();
    assertThat(victim.exitValue()).isEqualTo(128 + 9);

    try (Braid db = Braid.over(RocksStore.open(data, options()), BraidConfig.defaults())) {
      try (Snapshot now = db.snapshot()) {
        assertThat(List.of(now.get(ANN, MONEY).orElse(0L), now.get(ZOE, MONEY).orElse(0L)))
            .containsExactly(ann, 200 - ann);
      }
      db.run(
          tx -> {
            tx.set(ANN, MONEY, tx.get(ANN, MONEY).orElseThrow() - 1);
            return 0;
          });
      try (Snapshot now = db.snapshot()) {
        assertThat(now.get(ANN, MONEY)).contains(ann - 1);
      }
      // The reader has dealt with the cells of the dead, or another regular write does.
      move(db, 1, 199);
      assertThat(db.fast().read(ZOE, MONEY)).contains(199L);
    }
  }
}
