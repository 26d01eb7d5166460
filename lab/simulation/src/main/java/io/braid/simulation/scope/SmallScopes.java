package io.braid.simulation.scope;

import io.braid.batch.rows.Conflicts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All small scopes. */
public final class SmallScopes {
  private SmallScopes() {}

  /** Those that take seconds each. */
  public static List<SmallScope> quick() {
    List<SmallScope> quick = new ArrayList<>();
    for (Protocol each : Protocol.values()) {
      quick.add(pair(each, false, 1, 0, 1, 1, 0, 0));
      quick.add(pair(each, false, 1, 0, 1, 0, 1, 0));
      quick.add(pair(each, false, 2, 0, 0, 1, 0, 0));
      quick.add(pair(each, false, 1, 0, 1, 0, 0, 1));
      quick.add(pair(each, true, 1, 0, 1, 1, 0, 0));
    }
    quick.add(pair(Protocol.OMID, false, 2, 1, 0, 1, 0, 0));
    quick.add(pair(Protocol.OMID, false, 2, 2, 1, 0, 0, 0));
    for (Protocol each : Protocol.values()) {
      quick.add(group(each, 1, 0, 1, 0));
      quick.add(group(each, 1, 0, 0, 1));
      quick.add(group(each, 1, 1, 0, 0));
    }
    quick.add(group(Protocol.PERCOLATOR, 1, 1, 1, 0));
    quick.add(load(Protocol.PERCOLATOR, Conflicts.NEWER, 1, 0, 1, 0));
    quick.add(load(Protocol.PERCOLATOR, Conflicts.LOAD, 1, 0, 1, 0));
    quick.add(load(Protocol.PERCOLATOR, Conflicts.NEWER, 0, 1, 1, 0));
    return quick;
  }

  /** All, the quick ones first. */
  public static List<SmallScope> all() {
    List<SmallScope> all = new ArrayList<>(quick());
    for (Protocol each : Protocol.values()) {
      all.add(pair(each, false, 2, 0, 0, 0, 0, 1));
      all.add(pair(each, true, 2, 0, 1, 0, 0, 0));
      all.add(pair(each, true, 2, 0, 1, 1, 0, 0));
      all.add(pair(each, false, 2, 0, 1, 0, 0, 0));
    }
    all.add(group(Protocol.OMID, 1, 1, 1, 0));
    all.add(load(Protocol.OMID, Conflicts.NEWER, 0, 1, 1, 0));
    all.add(load(Protocol.OMID, Conflicts.NEWER, 1, 0, 1, 0));
    all.add(load(Protocol.OMID, Conflicts.LOAD, 1, 0, 1, 0));
    for (Protocol each : Protocol.values()) {
      all.add(group(each, 1, 1, 0, 1));
      all.add(group(each, 2, 0, 0, 0));
      all.add(group(each, 2, 0, 1, 0));
      all.add(group(each, 2, 0, 0, 1));
      all.add(group(each, 2, 1, 0, 0));
      all.add(load(each, Conflicts.NEWER, 0, 1, 0, 1));
      all.add(load(each, Conflicts.NEWER, 1, 1, 0, 0));
      all.add(load(each, Conflicts.LOAD, 1, 1, 0, 0));
    }
    all.add(pair(Protocol.OMID, false, 2, 2, 1, 1, 0, 0));
    all.add(pair(Protocol.OMID, false, 2, 1, 1, 0, 0, 0));
    for (Protocol each : Protocol.values()) {
      all.add(pair(each, false, 2, 0, 1, 1, 0, 0));
    }
    all.add(pair(Protocol.OMID, false, 2, 1, 1, 1, 0, 0));
    return all;
  }

  private static SmallScope pair(
      Protocol protocol,
      boolean together,
      int writers,
      int fast,
      int readers,
      int crashes,
      int mistakes,
      int losses) {
    String name =
        protocol.name().toLowerCase(Locale.ROOT)
            + (together ? ", one tablet" : "")
            + some(writers - fast, "transaction")
            + some(fast, "fast write")
            + some(readers, "reader")
            + some(crashes, "crash")
            + some(mistakes, "taken for dead")
            + some(losses, "answer lost");
    return new PairScope(
        name, protocol, together, writers, fast, readers, crashes, mistakes, losses);
  }

  private static SmallScope group(
      Protocol protocol, int groups, int writers, int crashes, int losses) {
    String name =
        protocol.name().toLowerCase(Locale.ROOT)
            + some(groups, "key group")
            + some(writers, "transaction")
            + some(crashes, "crash")
            + some(losses, "answer lost");
    return new GroupScope(name, protocol, groups, writers, crashes, losses);
  }

  private static SmallScope load(
      Protocol protocol, Conflicts conflicts, int writers, int readers, int crashes, int losses) {
    String name =
        protocol.name().toLowerCase(Locale.ROOT)
            + ", 1 load"
            + (conflicts == Conflicts.LOAD ? " that wins" : "")
            + some(writers, "transaction")
            + some(readers, "reader")
            + some(crashes, "crash")
            + some(losses, "answer lost");
    return new LoadScope(name, protocol, conflicts, writers, readers, crashes, losses);
  }

  private static String some(int count, String what) {
    return count == 0 ? "" : ", " + count + " " + what;
  }
}
