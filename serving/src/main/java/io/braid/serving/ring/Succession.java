package io.braid.serving.ring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Which node takes the place of which at a partition when the ring changes (section 4.3.2). As many
 * nodes join its replicas as leave them, primaries and secondaries alike. Each node that joins has
 * one that leaves as its donor.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Succession {
  private Succession() {}

  /** The nodes that join a partition's replicas, each with the one that leaves for it, by ids. */
  public static Map<Integer, Integer> of(Routing from, Routing to, int partition) {
    List<Integer> before = ids(from, partition);
    List<Integer> after = ids(to, partition);
    List<Integer> leaving = new ArrayList<>(before);
    leaving.removeAll(after);
    List<Integer> joining = new ArrayList<>(after);
    joining.removeAll(before);
    Map<Integer, Integer> succession = new LinkedHashMap<>();
    for (int i = 0; i < joining.size(); i++) {
      succession.put(joining.get(i), leaving.get(i));
    }
    return succession;
  }

  private static List<Integer> ids(Routing routing, int partition) {
    return routing.nodes(partition).stream().map(Node::id).toList();
  }
}
