package io.braid.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.core.cells.DecisionPoint;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.loads.DecideLoad;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.TransactionId;
import io.braid.groups.Group;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.hostile.ScriptedStore;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SoakTest {
  @TempDir Path dir;

  @Test
  void everyLoadIsDoneAndNothingIsWrong() throws Exception {
    BraidConfig config = BraidConfig.defaults().with(Setting.STORE_MEMORY, "16 MiB");
    List<String> lines = new ArrayList<>();
    try (Braid db = Braid.open(dir.resolve("data"), config);
        Soak soak = Soak.of(new SystemSeams(), db, dir, 2, 200)) {
      soak.run(Duration.ofSeconds(3), Duration.ofSeconds(1), lines::add);
      assertThat(soak.failures()).isEmpty();
      assertThat(soak.steps())
          .containsOnlyKeys(
              "append-percolator",
              "bank-omid",
              "scan-percolator",
              "groups",
              "observers",
              "jobs",
              "swaps")
          .allSatisfy((load, steps) -> assertThat(steps).as(load).isPositive());
    }
    assertThat(lines).hasSizeGreaterThanOrEqualTo(2).allMatch(line -> line.contains("heap "));
  }

  @Test
  void aLossIsFoundAndEndsTheSoak() throws Exception {
    try (Braid db = Braid.open(dir.resolve("data"));
        GroupGames games = new GroupGames(db)) {
      games.check();
      db.run(
          tx -> {
            tx.delete(
                Row.of("soak-players", "player7"), Column.of("game", "chips", Codecs.int64()));
            return 0;
          });
      assertThatThrownBy(games::check)
          .isInstanceOf(Load.WrongException.class)
          .hasMessageContaining("199000 chips");
    }
  }

  @Test
  void aRoundThatWasAcknowledgedAndIsMissingIsFound() throws Exception {
    try (Braid db = Braid.open(dir.resolve("data"));
        GroupGames games = new GroupGames(db)) {
      games.step();
      games.check();
      Column<Long> chips = Column.of("game", "chips", Codecs.int64());
      Row from = Row.of("soak-players", "player7");
      Row to = Row.of("soak-players", "player8");
      db.run(
          tx -> {
            tx.set(from, chips, tx.get(from, chips).orElse(0L) - 1);
            tx.set(to, chips, tx.get(to, chips).orElse(0L) + 1);
            return 0;
          });
      assertThatThrownBy(games::check)
          .isInstanceOf(Load.WrongException.class)
          .hasMessageStartingWith("Player ");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theOutcomeOfARoundThatIsUnknownIsLearned(boolean tookEffect) throws Exception {
    try (Braid db = Braid.open(dir.resolve("data"));
        GroupGames games = new GroupGames(db)) {
      Row from = Row.of("soak-players", "player7");
      Row to = Row.of("soak-players", "player8");
      try (Group group = db.group(List.of(from, to))) {
        Group silent = withoutAnswer(group, tookEffect);
        assertThatThrownBy(() -> games.play(silent, new GroupGames.Move(from, to, 3)))
            .isInstanceOf(GroupOutcomeUnknownException.class);
      }
      games.check();
      games.step();
      games.check();
    }
  }

  /** The group, but whoever runs something never hears how it ended. */
  private static Group withoutAnswer(Group group, boolean tookEffect) {
    return (Group)
        Proxy.newProxyInstance(
            Group.class.getClassLoader(),
            new Class<?>[] {Group.class},
            (proxy, method, arguments) -> {
              if (tookEffect) {
                method.invoke(group, arguments);
              }
              throw GroupOutcomeUnknownException.said("No answer, on purpose.");
            });
  }

  @Test
  void whatIsRefusedIsTriedAgainAndCounted() {
    Scripted load =
        new Scripted(
            new TimestampUnavailableException("No timestamp for 5 s: try again later."),
            new CommitOutcomeUnknownException(TRANSACTION, "The answer was lost."),
            null,
            new TimestampUnavailableException("No timestamp for 5 s: try again later."),
            new Load.WrongException("the end of the test"));
    try (Soak soak = new Soak(new SystemSeams(), List.of(load), LONG)) {
      soak.run(LONG, SHORT, line -> {});
      assertThat(soak.failures()).isEqualTo(Map.of("scripted", "the end of the test"));
      assertThat(soak.refusals().counts())
          .isEqualTo(
              Map.of("scripted", Map.of("TimestampUnavailable", 2L, "CommitOutcomeUnknown", 1L)));
    }
    assertThat(load.checks).isZero();
  }

  @Test
  void whatNoClientShouldMeetIsWrong() {
    Scripted load = new Scripted(new IllegalStateException("a defect"));
    try (Soak soak = new Soak(new SystemSeams(), List.of(load), LONG)) {
      soak.run(LONG, SHORT, line -> {});
      assertThat(soak.failures())
          .isEqualTo(Map.of("scripted", "java.lang.IllegalStateException: a defect"));
      assertThat(soak.refusals().counts()).isEmpty();
    }
  }

  @Test
  void aCheckThatIsRefusedIsMadeAgain() {
    Scripted load = new Scripted();
    load.early = 2;
    try (Soak soak = new Soak(new SystemSeams(), List.of(load), LONG)) {
      soak.run(SHORT, SHORT, line -> {});
      assertThat(soak.failures()).isEmpty();
    }
    assertThat(load.checks).isEqualTo(3);
  }

  @Test
  void aLoadThatIsRefusedForLongStandsStill() {
    Scripted load = new Scripted();
    load.always = new TimestampUnavailableException("No timestamp for 5 s: try again later.");
    try (Soak soak = new Soak(new SystemSeams(), List.of(load), Duration.ofSeconds(1))) {
      soak.run(LONG, SHORT, line -> {});
      assertThat(soak.failures().get("scripted"))
          .startsWith("It stands still for 1 s; the last refusal: ")
          .contains("No timestamp");
    }
  }

  @Test
  void aStepThatDoesNotEndStandsStillUnlessItComesFurther() {
    CountDownLatch end = new CountDownLatch(1);
    AtomicLong looks = new AtomicLong();
    Scripted hanging = new Scripted();
    hanging.until = end;
    Scripted coming = new Scripted(new Load.WrongException("the end of the test"));
    coming.until = end;
    coming.further =
        () -> {
          if (looks.incrementAndGet() == 20) {
            end.countDown();
          }
          return looks.get();
        };
    try (Soak soak = new Soak(new SystemSeams(), List.of(coming), Duration.ZERO)) {
      soak.run(LONG, SHORT, line -> {});
      assertThat(soak.failures()).containsValue("the end of the test");
    }
    CountDownLatch never = new CountDownLatch(1);
    hanging.until = never;
    try (Soak soak = new Soak(new SystemSeams(), List.of(hanging), SHORT)) {
      soak.run(LONG, SHORT, line -> {});
      assertThat(soak.failures().get("scripted")).endsWith("nothing was refused.");
    } finally {
      never.countDown();
    }
  }

  @Test
  void aLoadThatBrokeOffIsGoneOnWith() throws Exception {
    ScriptedStore store = new ScriptedStore(new MemoryStore());
    try (Braid db = Braid.over(store, BraidConfig.defaults());
        Jobs jobs = new Jobs(db, dir)) {
      jobs.step();
      int refused = 0;
      for (int number = 1; number <= 6; number++) {
        store
            .on(DecideLoad.INSTANCE)
            .number(number)
            .before(
                call -> {
                  throw new TimestampUnavailableException("No timestamp, on purpose.");
                });
        for (boolean done = false; !done; ) {
          try {
            jobs.step();
            done = true;
          } catch (TimestampUnavailableException | Load.NotDoneException e) {
            jobs.check();
            refused++;
          }
        }
      }
      assertThat(store.waiting()).isEmpty();
      assertThat(refused).isPositive();
      jobs.check();
    }
  }

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final TransactionId TRANSACTION =
      new TransactionId(1, new DecisionPoint.LoadRecord("none"));

  /** Does what it is told to, a step after another; then nothing, again and again. */
  private static final class Scripted implements Load {
    private final Iterator<@Nullable Exception> steps;
    private volatile CountDownLatch until = new CountDownLatch(0);
    private LongSupplier further = () -> 0;
    private @Nullable Exception always;
    private int early;
    private int checks;

    Scripted(@Nullable Exception... steps) {
      this.steps = Arrays.asList(steps).iterator();
    }

    @Override
    public String name() {
      return "scripted";
    }

    @Override
    public void step() throws Exception {
      until.await();
      @Nullable Exception thrown = steps.hasNext() ? steps.next() : always;
      if (thrown != null) {
        throw thrown;
      }
      Thread.sleep(1);
    }

    @Override
    public long progress() {
      return further.getAsLong();
    }

    @Override
    public void check() {
      if (checks++ < early) {
        throw new NotDoneException("too early");
      }
    }
  }

  @Test
  void whatGrowsIsTold() {
    Resources flat = new Resources();
    Resources leaking = new Resources();
    for (int i = 0; i < 30; i++) {
      flat.saw("heap", 100 + i % 5);
      leaking.saw("heap", 100 + 10 * i);
      leaking.saw("files", 60);
    }
    assertThat(flat.grown()).isEmpty();
    assertThat(leaking.grown()).containsExactly("heap grew from 250 to 350 MiB.");
  }
}
