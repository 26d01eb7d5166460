package io.braid.lab.campaign;

import io.braid.cli.command.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The drills of real processes in each rotation, as commands of {@code braid}. */
enum RealPart {
  /** A workload on the embedded store, in a process that is killed again and again. */
  killed {
    @Override
    List<Step> steps(long seed, Path work) {
      String history = work.resolve("history.jsonl").toString();
      List<String> workload = new ArrayList<>(List.of("workload"));
      workload.addAll(KINDS.get((int) Math.floorMod(seed, (long) KINDS.size())));
      workload.addAll(List.of("--clients", "4", "--txns", "10000", "--keys", "50"));
      workload.addAll(List.of("--kill-every", "1s", "--seed", String.valueOf(seed)));
      workload.addAll(List.of("--data", work.resolve("data").toString()));
      workload.addAll(List.of("--out", history, "--json"));
      return List.of(Step.judged(workload), Step.judged(List.of("check", history, "--json")));
    }
  },

  /** Random programs over all features, held against a model. */
  model {
    @Override
    List<Step> steps(long seed, Path work) {
      String seeds = seed + "+1";
      List<String> all = List.of("model", "--seeds", seeds, "--steps", "300", "--all-features");
      return List.of(
          Step.judged(List.of("model", "--seeds", seeds, "--steps", "300")), Step.judged(all));
    }
  },

  /** Frames that are damaged, sent to everything that listens. */
  fuzz {
    @Override
    List<Step> steps(long seed, Path work) {
      return List.of(
          Step.needed(List.of("bench", "fuzz", "--help")),
          Step.judged(
              List.of("bench", "fuzz", "--frames", "20000", "--seed", String.valueOf(seed))));
    }
  },

  /** Processes on a real HBase whose servers are killed, paused, moved and split. */
  cluster {
    @Override
    List<Step> steps(long seed, Path work) {
      String data = work.resolve("data").toString();
      List<String> faults = new ArrayList<>(List.of("dev-cluster", "faults", "--data", data));
      faults.addAll(List.of("--for", "2min", "--seed", String.valueOf(seed)));
      faults.addAll(List.of("--out", work.resolve("history.jsonl").toString(), "--json"));
      return List.of(
          Step.needed(List.of("dev-cluster", "start", "--servers", "3", "--data", data)),
          Step.judged(faults),
          Step.last(List.of("dev-cluster", "stop", "--data", data)));
    }
  };

  private static final List<List<String>> KINDS =
      List.of(
          List.of("append", "--protocol", "percolator"),
          List.of("append", "--protocol", "omid-fp"),
          List.of("bank", "--protocol", "omid"),
          List.of("scan", "--protocol", "percolator", "--one-phase", "off"),
          List.of("append", "--protocol", "omid", "--durability", "synced"),
          List.of("bank", "--protocol", "percolator", "--durability", "synced"),
          List.of("scan", "--protocol", "omid"));

  /** The meaning of the end of a command. */
  enum Role {
    /** Unless it is done, the drill cannot be made, which says nothing of what is tested. */
    NEEDED,
    /** If it is not done, something is wrong with what is tested. */
    JUDGED,
    /** Cleans up, after any outcome. */
    LAST
  }

  /** A command, without {@code braid}. */
  record Step(Role role, List<String> command) {
    static Step needed(List<String> command) {
      return new Step(Role.NEEDED, command);
    }

    static Step judged(List<String> command) {
      return new Step(Role.JUDGED, command);
    }

    static Step last(List<String> command) {
      return new Step(Role.LAST, command);
    }
  }

  /**
   * The commands of a drill, in their order.
   *
   * @param work a directory for them
   */
  abstract List<Step> steps(long seed, Path work);

  /** The parts of a list as it is typed; {@code none} alone for none. */
  static Set<RealPart> named(List<String> names) {
    Set<RealPart> parts = EnumSet.noneOf(RealPart.class);
    if (names.equals(List.of("none"))) {
      return parts;
    }
    for (String name : names) {
      parts.add(
          EnumSet.allOf(RealPart.class).stream()
              .filter(part -> part.name().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new UsageException(
                          "--with takes killed, model, fuzz and cluster, or none; not '"
                              + name
                              + "'.")));
    }
    return parts;
  }
}
