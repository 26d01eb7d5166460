package io.braid.lab.model;

import io.braid.batch.job.LoadOptions;
import io.braid.batch.snapshot.Algorithm;
import io.braid.indexes.Index;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Random programs against a database of one process and the model, one step after another. The same
 * seed gives the same program.
 */
public final class ModelRun {
  private static final List<Duration> WRONG_CLOCKS =
      List.of(
          Duration.ofDays(-400), Duration.ofHours(-3), Duration.ofHours(3), Duration.ofDays(400));

  private final Run run;
  private final TransactionSteps transactions;
  private final FastSteps fast;
  private final GroupSteps groups;
  private final TableSteps tables;
  private final ObserverSteps observers;
  private final CopySteps copies;
  private final ClientSteps clients;
  private final List<Feature> features;
  private final Meetings meetings = new Meetings();

  private ModelRun(Random random, Set<Feature> features, Path directory) {
    this.run = new Run(random, directory);
    Checks checks = new Checks(run);
    this.transactions = new TransactionSteps(run, checks);
    this.fast = new FastSteps(run);
    this.groups = new GroupSteps(run);
    this.tables = new TableSteps(run, checks);
    this.observers = new ObserverSteps(run);
    this.copies = new CopySteps(run, checks);
    this.clients = new ClientSteps(run, checks, transactions, fast, groups);
    this.features = List.copyOf(features);
  }

  /** Swarm testing: each program has a part of the features. */
  private static Set<Feature> some(Random random) {
    EnumSet<Feature> some = EnumSet.of(Feature.TRANSACTION);
    for (Feature each : Feature.values()) {
      if (random.nextInt(5) < 2) {
        some.add(each);
      }
    }
    return some;
  }

  /**
   * Runs one program.
   *
   * @param directory an empty one
   * @param steps how many
   * @return which features met
   * @throws AssertionError when a step shows what the model does not; the text has all steps
   */
  public static Meetings of(long seed, Path directory, int steps) {
    Random random = new Random(seed);
    return of(seed, new ModelRun(random, some(random), directory), steps);
  }

  /** The same, with all features. */
  public static Meetings ofAll(long seed, Path directory, int steps) {
    return of(seed, new ModelRun(new Random(seed), EnumSet.allOf(Feature.class), directory), steps);
  }

  private static Meetings of(long seed, ModelRun one, int steps) {
    try {
      one.play(steps);
      one.run.close();
      return one.meetings;
    } catch (RuntimeException | AssertionError e) {
      AssertionError failure = new AssertionError(text(seed, one.run.log, e), e);
      try {
        one.run.close();
      } catch (RuntimeException | AssertionError closing) {
        failure.addSuppressed(closing);
      }
      throw failure;
    }
  }

  private static String text(long seed, List<String> log, Throwable why) {
    String next = System.lineSeparator() + "  ";
    return "Seed %d, after:%s%s%n%s"
        .formatted(seed, next, String.join(next, log), why.getMessage());
  }

  private void play(int steps) {
    Run.TABLES.subList(0, 2).forEach(tables::create);
    for (int i = 0; i < steps; i++) {
      Feature next = run.chance(40) ? Feature.TRANSACTION : run.any(features);
      int said = run.log.size();
      step(next);
      if (run.log.size() > said) {
        meetings.met(next, run.used);
        run.used.add(next);
      }
      if (run.chance(10)) {
        tables.look();
      }
    }
    tables.look();
  }

  private void step(Feature feature) {
    switch (feature) {
      case TRANSACTION -> transactions.step(false);
      case LOCK -> transactions.step(true);
      case FAST -> fast.step(run.db.fast());
      case NAMED_WRITE -> fast.named(run.db.fast());
      case TIME_TRAVEL -> tables.timeTravel();
      case GROUP -> groups.step();
      case INDEX -> tables.index(Index.Kind.GLOBAL);
      case UNIQUE -> tables.index(Index.Kind.UNIQUE);
      case LOCAL_INDEX -> tables.index(Index.Kind.LOCAL);
      case DROP -> dropOrCreate();
      case SWITCH -> tables.switchProtocol();
      case COLLECTION -> tables.collect();
      case REOPEN -> reopen(Duration.ZERO);
      case CLOCK -> reopen(run.any(WRONG_CLOCKS));
      case CRASH -> crash();
      case LOAD -> copies.load(LoadOptions.DEFAULT);
      case ATOMIC_LOAD -> copies.load(LoadOptions.DEFAULT.atomically());
      case FILE_LOAD -> copies.load(LoadOptions.DEFAULT.by(Algorithm.VANILLA_SORT));
      case FEED -> copies.feed();
      case BACKUP -> copies.backup();
      case RESTORE -> copies.restore();
      case OBSERVER -> observers.step();
      case CLIENT -> clients.step();
      case DISTURBANCE -> run.disturb();
    }
  }

  private void reopen(Duration wrongClock) {
    run.say("reopen, clock wrong by " + wrongClock);
    run.reopen(wrongClock);
  }

  /**
   * Crashes, once no other writer is at work: a copy made during writes is not what a crash leaves.
   */
  private void crash() {
    if (observers.rest()) {
      run.beAlone();
      copies.crash();
    }
  }

  private void dropOrCreate() {
    if (run.chance(30)) {
      tables.drop();
    } else {
      tables.create(run.anyTable());
    }
  }
}
