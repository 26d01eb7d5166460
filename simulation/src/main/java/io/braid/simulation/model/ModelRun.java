package io.braid.simulation.model;

import io.braid.Index;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.snapshot.Algorithm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

/**
 * Random programs against a database of one process and the model, one step after another. The same
 * seed gives the same program.
 */
public final class ModelRun {
  private final Run run;
  private final TransactionSteps transactions;
  private final FastSteps fast;
  private final GroupSteps groups;
  private final TableSteps tables;
  private final CopySteps copies;
  private final List<Feature> features;
  private final Meetings meetings = new Meetings();

  private ModelRun(long seed, Path directory) {
    Random random = new Random(seed);
    this.run = new Run(random, directory);
    Checks checks = new Checks(run);
    this.transactions = new TransactionSteps(run, checks);
    this.fast = new FastSteps(run);
    this.groups = new GroupSteps(run);
    this.tables = new TableSteps(run, checks);
    this.copies = new CopySteps(run, checks);
    EnumSet<Feature> some = EnumSet.of(Feature.TRANSACTION);
    for (Feature each : Feature.values()) {
      if (random.nextInt(5) < 2) {
        some.add(each);
      }
    }
    this.features = new ArrayList<>(some);
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
    ModelRun one = new ModelRun(seed, directory);
    try {
      one.play(steps);
      return one.meetings;
    } catch (RuntimeException | AssertionError e) {
      String log = String.join(System.lineSeparator() + "  ", one.run.log);
      throw new AssertionError(
          "Seed "
              + seed
              + ", after:"
              + System.lineSeparator()
              + "  "
              + log
              + System.lineSeparator()
              + e.getMessage(),
          e);
    } finally {
      one.run.letGo();
      one.run.db.close();
    }
  }

  private void play(int steps) {
    Run.TABLES.subList(0, 2).forEach(tables::create);
    for (int i = 0; i < steps; i++) {
      Feature next = run.chance(40) ? Feature.TRANSACTION : run.any(features);
      meetings.met(next, run.used);
      run.used.add(next);
      step(next);
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
      case FAST -> fast.step();
      case NAMED_WRITE -> fast.named();
      case TIME_TRAVEL -> tables.timeTravel();
      case GROUP -> groups.step();
      case INDEX -> tables.index(Index.Kind.GLOBAL);
      case UNIQUE -> tables.index(Index.Kind.UNIQUE);
      case LOCAL_INDEX -> tables.index(Index.Kind.LOCAL);
      case DROP -> dropOrCreate();
      case SWITCH -> tables.switchProtocol();
      case COLLECTION -> tables.collect();
      case REOPEN -> {
        run.say("reopen");
        run.reopen();
      }
      case CRASH -> copies.crash();
      case LOAD -> copies.load(LoadOptions.DEFAULT);
      case ATOMIC_LOAD -> copies.load(LoadOptions.DEFAULT.atomically());
      case FILE_LOAD -> copies.load(LoadOptions.DEFAULT.by(Algorithm.VANILLA_SORT));
      case FEED -> copies.feed();
      case BACKUP -> copies.backup();
      case RESTORE -> copies.restore();
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
