package io.braid.benchmarks.groups;

import io.braid.GroupNodes;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Durability;
import io.braid.groups.node.NodeOptions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import picocli.CommandLine.Option;

/** The plan of the measurements, with the parameters of section 6.1. */
public final class GroupsPlan {
  /** The number of keys of a group in figure 11, and of a group in the part {@code live}. */
  static final int MEMBERS = 50;

  private static final double DEVIATION = 0.1;
  private static final int LARGE = 1000;

  /** The limit of tablets, which are cut at the first byte of the keys. */
  private static final int MOST_TABLETS = 256;

  /** The parts that can be run separately. */
  enum Part {
    create,
    operations,
    live
  }

  @Option(
      names = "--only",
      split = ",",
      description = "Parts to run: ${COMPLETION-CANDIDATES} (default: all).")
  Set<Part> only = EnumSet.allOf(Part.class);

  @Option(names = "--seconds", description = "Of a case in a round (default: ${DEFAULT-VALUE}).")
  double seconds = 1.5;

  @Option(
      names = "--rounds",
      description =
          "Cases take turns, after a round of operations that does not count (default:"
              + " ${DEFAULT-VALUE}).")
  int rounds = 3;

  @Option(names = "--rows", description = "Rows in the table (default: ${DEFAULT-VALUE}).")
  int rows = 1_000_000;

  @Option(
      names = "--tablets",
      description = "Of the table; the raw one of HBase has two (default: ${DEFAULT-VALUE}).")
  int tablets = 8;

  @Option(
      names = "--clients",
      split = ",",
      description = "Concurrent clients (default: 1,20,60,200).")
  int[] clients = {1, 20, 60, 200};

  @Option(
      names = "--sizes",
      split = ",",
      description = "Keys of the groups that are created (default: 10,50,100,10000,100000).")
  int[] sizes = {};

  @Option(
      names = "--lengths",
      split = ",",
      description = "Operations in the life of a group (default: 10,20,50,100,200).")
  int[] lengths = {};

  @Option(
      names = "--pause",
      description =
          "Delta: between operations a client waits for this long to twice as long, in ms; cases"
              + " without pauses come too (default: ${DEFAULT-VALUE}).")
  double pause = 10;

  @Option(names = "--nodes", description = "Group nodes (default: ${DEFAULT-VALUE}).")
  int nodes = 2;

  /** The network between group nodes. */
  enum Messages {
    /** As in the product: nothing is lost (section 4.1). */
    REQUESTS,
    /** Anything may happen (section 4.2). */
    DATAGRAMS
  }

  @Option(
      names = "--messages",
      paramLabel = "NETWORK",
      description = "Between group nodes: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  Messages messages = Messages.REQUESTS;

  @Option(names = "--live", description = "Groups that live at once (default: ${DEFAULT-VALUE}).")
  int live = 5000;

  @Option(names = "--durability", description = "buffered or synced (default: ${DEFAULT-VALUE}).")
  String durability = "synced";

  @Option(names = "--quick", description = "A first look in about a minute.")
  boolean quick;

  /** Makes everything small for a first look. */
  void settle() {
    if (quick) {
      seconds = Math.min(seconds, 0.5);
      rounds = 1;
      rows = Math.min(rows, 40_000);
      live = Math.min(live, 100);
      clients = Arrays.stream(clients).filter(count -> count <= 20).toArray();
    }
    live = Math.min(live, rows / MEMBERS / 2);
    tablets = Math.max(1, Math.min(tablets, MOST_TABLETS));
  }

  /** Returns the durability of commits. */
  public Durability durability() {
    return Durability.valueOf(durability.toUpperCase(Locale.ROOT));
  }

  public int rows() {
    return rows;
  }

  public int nodes() {
    return nodes;
  }

  /** Starts a group node. */
  public void start(GroupNodes nodes, String name) {
    NodeOptions options = NodeOptions.named(name);
    if (messages == Messages.DATAGRAMS) {
      nodes.start(options, new DatagramTransport(new SystemSeams()));
    } else {
      nodes.start(options);
    }
  }

  int[] sizes() {
    if (sizes.length > 0) {
      return sizes;
    }
    return quick ? new int[] {10, 50, 10_000} : new int[] {10, 50, 100, 10_000, 100_000};
  }

  /**
   * Returns the numbers of clients whose simultaneous groups take at most half of the table (6.1: n
   * is 2 or more).
   */
  int[] clientsFor(int size) {
    int[] fit = Arrays.stream(clients).filter(count -> count * (long) size <= rows / 2).toArray();
    return size > LARGE ? Arrays.stream(fit).filter(count -> count <= 20).toArray() : fit;
  }

  int[] lengths() {
    if (lengths.length > 0) {
      return lengths;
    }
    return quick ? new int[] {10, 50, 100} : new int[] {10, 20, 50, 100, 200};
  }

  /** Returns the pauses between operations to measure, in ms. */
  List<Double> pauses() {
    return pause == 0 ? List.of(0.0) : List.of(0.0, pause);
  }

  /** Draws a number from a normal distribution around a mean, at least one. */
  static int about(int mean, SplittableRandom random) {
    double drawn = mean * (1 + DEVIATION * random.nextGaussian());
    return (int) Math.max(1, Math.round(drawn));
  }

  /** Returns the median of the ratios of the rounds to those of another case. */
  static double medianRatio(List<Double> values, List<Double> others) {
    double[] ratios = new double[values.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = values.get(i) / others.get(i);
    }
    Arrays.sort(ratios);
    return ratios.length == 0 ? Double.NaN : ratios[ratios.length / 2];
  }
}
