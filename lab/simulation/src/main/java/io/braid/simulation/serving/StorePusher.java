package io.braid.simulation.serving;

import io.braid.core.runtime.Seams;
import io.braid.serving.NotFinishedException;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushPlan;
import io.braid.serving.push.PushResult;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.schedule.SimRandom;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A job that builds and pushes versions of one store, in a process that may die. After a death, the
 * next process pushes again under the same id, like a job that is tried again. If a push says that
 * it could not take a version back, the job takes the version back by hand.
 */
final class StorePusher {
  private static final long MEAN_RESTART_NANOS = Duration.ofSeconds(1).toNanos();

  private final PushCluster cluster;
  private final PushWatch watch;
  private final BuiltVersions builds;
  private final String store;
  private final String name;
  private final SimRandom random;
  private final BooleanSupplier over;
  private final List<String> unsettled = new ArrayList<>();
  private @Nullable Job job;
  private long unsettledVersion;
  private int jobs;
  private int lives;
  private boolean ended;

  /** The version that is being pushed. */
  private record Job(String id, BuiltVersions.Built built, Kind kind, int tolerated) {}

  private enum Kind {
    GOOD,
    SMALL,
    OLD
  }

  StorePusher(
      PushCluster cluster,
      PushWatch watch,
      BuiltVersions builds,
      String store,
      String name,
      SimRandom random,
      BooleanSupplier over) {
    this.cluster = cluster;
    this.watch = watch;
    this.builds = builds;
    this.store = store;
    this.name = name;
    this.random = random;
    this.over = over;
  }

  boolean hasEnded() {
    return ended;
  }

  void start() {
    SimProcess process = cluster.process(name + "." + lives++);
    process.afterDeath(() -> cluster.later(MEAN_RESTART_NANOS, this::start));
    process.start("main", () -> work(process));
    if (!over.getAsBoolean() && random.nextInt(3) == 0) {
      cluster.later(
          Duration.ofSeconds(8).toNanos(),
          () -> {
            if (!over.getAsBoolean()) {
              process.crash();
            }
          });
    }
  }

  private void work(SimProcess process) {
    Seams seams = process.seams();
    while (true) {
      settle(seams);
      Job now = job;
      if (now == null) {
        if (over.getAsBoolean()) {
          ended = true;
          return;
        }
        now = next();
        job = now;
      }
      if (push(seams, now)) {
        job = null;
      }
      seams.sleep(Duration.ofNanos(random.around(Duration.ofSeconds(2).toNanos())));
    }
  }

  private Job next() {
    String id = name + "-" + jobs++;
    int draw = random.nextInt(12);
    Kind kind = draw == 0 ? Kind.SMALL : draw == 1 ? Kind.OLD : Kind.GOOD;
    BuiltVersions.Built built = kind == Kind.SMALL ? builds.buildSmall(store) : builds.build(store);
    if (kind == Kind.GOOD) {
      watch.pushes(built);
    }
    return new Job(id, built, kind, random.nextInt(3) == 0 ? 1 : 0);
  }

  /** Pushes once; answers whether that push is over. */
  private boolean push(Seams seams, Job now) {
    PushPlan plan =
        PushPlan.of(store, now.id(), now.built().folder().toString())
            .version(now.kind() == Kind.OLD ? 1 : 0)
            .tolerating(now.tolerated());
    Duration patience = Duration.ofSeconds(2 + random.nextInt(30));
    long[] version = {0};
    try {
      PushResult pushed =
          new Push(seams, cluster.nodes(patience), plan, (step, done, total) -> {}).run();
      version[0] = pushed.version();
      if (now.kind() != Kind.GOOD) {
        watch.wrong(
            "A version that is "
                + (now.kind() == Kind.OLD ? "below the live one" : "suspiciously small")
                + " went live: "
                + pushed);
      }
      watch.count(pushed.before() ? "pushes-repeated" : "pushes-ok");
      watch.count(pushed.missed().isEmpty() ? "pushes-to-all" : "pushes-without-some");
      return true;
    } catch (NotFinishedException e) {
      watch.count(e.unsettled().isEmpty() ? "pushes-fail" : "pushes-unsettled");
      unsettled.addAll(e.unsettled());
      unsettledVersion = e.version();
      return random.nextInt(2) == 0;
    }
  }

  /** Does by hand what a push could not. */
  private void settle(Seams seams) {
    while (!unsettled.isEmpty()) {
      int id = Integer.parseInt(unsettled.get(0).substring(1));
      seams.sleep(Duration.ofNanos(random.around(Duration.ofSeconds(2).toNanos())));
      try {
        cluster.node(id, Duration.ofSeconds(5)).takeBack(store, unsettledVersion, -1);
        unsettled.remove(0);
      } catch (IOException e) {
        watch.count("take-backs-tried-again");
      }
    }
  }
}
