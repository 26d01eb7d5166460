package io.braid.testkit;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Runs a test body with many seeds, one after another, and says how to replay the one that fails.
 *
 * <p>The seeds are 1, 2, 3, ..., so that a run of the suite can be repeated. Two system properties
 * change that: {@code -Dbraid.seed=N} runs seed N alone; {@code -Dbraid.seeds=FIRST+COUNT} runs
 * COUNT seeds from FIRST on, for a long search.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Seeds {
  /** Runs one seed alone. */
  public static final String SEED = "braid.seed";

  /** Runs other seeds: {@code FIRST+COUNT}. */
  public static final String SEEDS = "braid.seeds";

  /** A test that takes its choices from the generator. */
  public interface Body {
    void run(RandomGenerator random) throws Exception;
  }

  /** A test that makes what it needs of the seed. */
  public interface SeedBody {
    void run(long seed) throws Exception;
  }

  private record Range(long first, long count) {}

  private Seeds() {}

  /** A generator that gives the same numbers for the same seed. */
  public static RandomGenerator random(long seed) {
    return new SplittableRandom(seed);
  }

  /** Runs the body {@code count} times, each time with a generator of its own seed. */
  public static void check(int count, Body body) {
    each(count, seed -> body.run(random(seed)));
  }

  /**
   * Runs the body {@code count} times, each time with its own seed.
   *
   * @throws AssertionError when the body throws anything: names the seed and the way to replay it,
   *     and has what was thrown as its cause
   */
  public static void each(int count, SeedBody body) {
    Range range = range(count, System.getProperty(SEED), System.getProperty(SEEDS));
    for (long seed = range.first; seed < range.first + range.count; seed++) {
      try {
        body.run(seed);
      } catch (Throwable failure) {
        throw new AssertionError(
            "Seed " + seed + " fails: " + failure + "\nReplay: " + replay(seed), failure);
      }
    }
  }

  private static Range range(int count, @Nullable String seed, @Nullable String seeds) {
    if (seed != null) {
      return new Range(Long.parseLong(seed), 1);
    }
    if (seeds == null) {
      return new Range(1, count);
    }
    int plus = seeds.indexOf('+');
    if (plus < 0) {
      throw new IllegalArgumentException(
          "-D" + SEEDS + "=" + seeds + " is not understood: write FIRST+COUNT, as 1000+500.");
    }
    return new Range(
        Long.parseLong(seeds.substring(0, plus)), Long.parseLong(seeds.substring(plus + 1)));
  }

  private static String replay(long seed) {
    return "mvn test -Dtest=" + caller() + " -D" + SEED + "=" + seed;
  }

  /** The test that called, as Surefire names it. */
  private static String caller() {
    return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
        .walk(
            frames ->
                frames
                    .filter(frame -> frame.getDeclaringClass() != Seeds.class)
                    .findFirst()
                    .map(frame -> frame.getDeclaringClass().getName() + "#" + frame.getMethodName())
                    .orElse("TEST"));
  }
}
