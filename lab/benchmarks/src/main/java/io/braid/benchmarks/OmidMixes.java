package io.braid.benchmarks;

import io.braid.benchmarks.OmidMix.Load;
import io.braid.benchmarks.OmidMix.Result;
import io.braid.benchmarks.OmidMix.Took;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The counterparts of figures 4 to 7: throughput against latency, and the parts of the latency. The
 * systems take turns, each over its own store, so that other load on the machine affects all of
 * them.
 */
public final class OmidMixes {
  /** The share of the nodes that the store serves: three of a thousand (section 5.1.2). */
  private static final double SHARE = 3.0 / 1000;

  private static final int SCALE_CLIENTS = 8;

  /** The sizes of figure 6. */
  private static final List<Integer> LONG = List.of(5, OmidMix.MOST);

  private final Report report;
  private final int rows;
  private final Set<OmidVariant.Word> variants;
  private final Systems opener;
  private final boolean quick;
  private final long turn;

  /** Opens each system over the storage of its rows. */
  public interface Systems {
    /**
     * @param scratch the directory for local files; it is removed after the system is closed
     */
    OmidVariant open(OmidVariant.Word word, Scratch scratch);
  }

  /**
   * @param turn the milliseconds of one system before the next system's turn
   */
  public OmidMixes(
      Report report,
      int rows,
      Set<OmidVariant.Word> variants,
      Systems opener,
      boolean quick,
      long turn) {
    this.opener = opener;
    this.report = report;
    this.rows = rows;
    this.variants = variants;
    this.quick = quick;
    this.turn = turn;
  }

  private interface Work {
    void run(OmidMix mix, List<OmidVariant> systems) throws Exception;
  }

  private void over(boolean brwc, Work work) throws Exception {
    OmidMix mix = new OmidMix(rows);
    List<OmidVariant> systems = new ArrayList<>();
    try (Scratch scratch = Scratch.create()) {
      try {
        for (OmidVariant.Word word : variants) {
          OmidVariant system = opener.open(word, scratch);
          systems.add(system);
          mix.fill(system);
          mix.run(system, new Load(brwc, 2, 0, 0), (quick ? 4 : 20) * turn);
        }
        work.run(mix, systems);
      } finally {
        systems.forEach(OmidVariant::close);
      }
    }
  }

  /**
   * Runs as many transactions as the clients can.
   *
   * @param brwc whether a fifth of the transactions read a key and write it
   * @param background additional load on the managers, in transactions a second
   */
  public void run(boolean brwc, long background) throws Exception {
    List<Integer> clients = quick ? List.of(1, 2, 8) : List.of(1, 2, 4, 8, 16, 32);
    over(
        brwc,
        (mix, systems) -> {
          for (int count : clients) {
            Load load = new Load(brwc, count, background, 0);
            Map<OmidVariant.Word, Result> results =
                inTurns(mix, systems, load, quick ? 6 : 30, turn);
            results.forEach((word, result) -> print(word, load, result));
            if (count == 2) {
              judge(brwc, results);
            }
          }
        });
  }

  /**
   * Measures section 5.1.2: the manager gets the requests of a thousand nodes, the store those of
   * three.
   */
  void scale() throws Exception {
    List<Long> rates =
        quick ? List.of(30_000L, 100_000L) : List.of(30_000L, 100_000L, 250_000L, 500_000L);
    over(
        false,
        (mix, systems) -> {
          for (long rate : rates) {
            long share = Math.round(rate * SHARE);
            Load load = new Load(false, SCALE_CLIENTS, rate - share, share);
            inTurns(mix, systems, load, quick ? 2 : 6, 7 * turn)
                .forEach((word, result) -> print(word, load, result));
          }
        });
  }

  private static Map<OmidVariant.Word, Result> inTurns(
      OmidMix mix, List<OmidVariant> systems, Load load, int turns, long millis) throws Exception {
    Map<OmidVariant.Word, Result> results = new EnumMap<>(OmidVariant.Word.class);
    for (int turn = 0; turn < turns; turn++) {
      for (OmidVariant system : systems) {
        results.merge(system.word(), mix.run(system, load, millis), Result::plus);
      }
    }
    return results;
  }

  private void judge(boolean brwc, Map<OmidVariant.Word, Result> results) {
    Result ll = results.get(OmidVariant.Word.omid_ll);
    Result fp = results.get(OmidVariant.Word.omid_fp);
    if (ll != null && fp != null) {
      report.atMost(
          (brwc ? "brwc" : "random mix") + ": cost of the fast path to long transactions",
          0.13,
          fp.of(5, OmidMix.MOST).micros() / ll.of(5, OmidMix.MOST).micros() - 1);
    }
  }

  private void print(OmidVariant.Word word, Load load, Result result) {
    print(word, load, result, "single key", result.of(1, 1));
    if (load.brwc()) {
      print(word, load, result, "read and write of a key", result.of(0, 0));
    }
    print(word, load, result, "five to ten", result.of(5, OmidMix.MOST));
    for (int size : LONG) {
      print(word, load, result, size + " keys", result.of(size, size));
    }
  }

  private void print(OmidVariant.Word word, Load load, Result result, String kind, Took took) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("variant", word.toString());
    params.put("mix", load.pace() > 0 ? "scale" : load.brwc() ? "brwc" : "random");
    params.put("clients", load.clients());
    params.put("background_tps", load.background());
    params.put("manager_tps", Math.round(result.perSecond() + result.postedPerSecond()));
    params.put("tps", Math.round(result.perSecond()));
    params.put("begin_us", tenths(took.micros(0)));
    params.put("reads_us", tenths(took.micros(1)));
    params.put("writes_us", tenths(took.micros(2)));
    params.put("commit_us", tenths(took.micros(3)));
    params.put("aborts", Math.round(took.abortRate() * 10_000) / 10_000.0);
    report.figure(kind + ", latency", params, took.micros(), "us", "", 0);
  }

  private static double tenths(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
