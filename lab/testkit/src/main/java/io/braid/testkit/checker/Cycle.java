package io.braid.testkit.checker;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Transactions each of which must have come before the next, the last before the first. */
record Cycle(List<Link> links) {

  /**
   * Why one transaction must have come before another.
   *
   * @param why WW, WR, RW or CLOCK
   * @param key what it is about; null for CLOCK
   */
  record Link(EdgeKind why, SeenTransaction first, SeenTransaction second, @Nullable ListKey key) {

    @Override
    public String toString() {
      String names = first.name() + " before " + second.name() + ": ";
      String about = key == null ? "" : key.name;
      return names
          + switch (why) {
            case WW -> second.name() + " appended to " + about + " behind " + first.name();
            case WR -> second.name() + " read what " + first.name() + " appended to " + about;
            case RW ->
                first.name() + " did not see what " + second.name() + " appended to " + about;
            default -> first.name() + " had ended when " + second.name() + " began";
          };
    }
  }

  /**
   * Makes a cycle of edges: leaves out those within a transaction, joins those that lead through
   * events of no transaction.
   *
   * @param edges begin with one whose origin is an event of a transaction
   */
  static Cycle of(
      EventGraph graph, List<SeenTransaction> committed, List<ListKey> keys, List<Integer> edges) {
    List<Link> links = new ArrayList<>();
    SeenTransaction first = committed.get(graph.from(edges.get(0)) / 2);
    EdgeKind why = EdgeKind.WITHIN;
    for (int edge : edges) {
      if (why == EdgeKind.WITHIN) {
        why = graph.kind(edge);
      }
      if (graph.to(edge) < 2 * committed.size()) {
        SeenTransaction second = committed.get(graph.to(edge) / 2);
        if (why != EdgeKind.WITHIN) {
          int key = graph.key(edge);
          links.add(new Link(why, first, second, key < 0 ? null : keys.get(key)));
        }
        first = second;
        why = EdgeKind.WITHIN;
      }
    }
    return new Cycle(links);
  }

  private long count(EdgeKind why) {
    return links.stream().filter(link -> link.why == why).count();
  }

  /** Returns the name of such a cycle in the research literature. */
  String name() {
    boolean clock = count(EdgeKind.CLOCK) > 0;
    if (links.size() == 2 && count(EdgeKind.RW) == 1) {
      if (clock) {
        return "stale-read";
      }
      if (count(EdgeKind.WW) == 1 && links.get(0).key == links.get(1).key) {
        return "lost-update";
      }
    }
    return dependencies() + (clock ? "-realtime" : "");
  }

  private String dependencies() {
    if (count(EdgeKind.RW) == 1) {
      return "G-single";
    }
    if (count(EdgeKind.RW) > 1) {
      return "G-nonadjacent";
    }
    return count(EdgeKind.WR) > 0 ? "G1c" : "G0";
  }

  private Set<SeenTransaction> transactions() {
    Set<SeenTransaction> all = new LinkedHashSet<>();
    links.forEach(link -> all.add(link.first));
    return all;
  }

  Anomaly anomaly() {
    List<String> evidence = new ArrayList<>();
    Set<ListKey> keys = new LinkedHashSet<>();
    links.stream().map(Link::key).filter(Objects::nonNull).forEach(keys::add);
    transactions().forEach(transaction -> evidence.add(transaction.about(keys)));
    links.forEach(link -> evidence.add(link.toString()));
    String text = transactions().size() + " transactions, each of which must precede the next.";
    return new Anomaly(name(), text, evidence);
  }
}
