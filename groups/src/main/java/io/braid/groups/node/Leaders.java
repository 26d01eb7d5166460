package io.braid.groups.node;

import io.braid.core.data.Decoder;
import io.braid.core.data.Lists;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.groups.GroupInfo;
import io.braid.groups.leader.GroupLeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects information about groups, regardless of their leader. The store knows who leads a group;
 * only the leader knows its progress. So each group node is asked once for the groups that it
 * leads.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class Leaders {
  private static final Logger LOG = LoggerFactory.getLogger(Leaders.class);

  /** A node that hangs does not delay the answers of the others. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final GroupLeader local;
  private final NodeDirectory nodes;
  private final ClientNetwork network;
  private final Seams seams;

  /**
   * For a process that is no group node.
   *
   * @param trust the credentials for nodes
   */
  public Leaders(GroupLeader local, CellStore store, Seams seams, Trust trust) {
    this(local, new NodeDirectory(store, seams, Durability.BUFFERED), trust.network(), seams);
  }

  Leaders(GroupLeader local, NodeDirectory nodes, ClientNetwork network, Seams seams) {
    this.local = local;
    this.nodes = nodes;
    this.network = network;
    this.seams = seams;
  }

  /** All groups, in the order of their names. */
  public List<GroupInfo> list() {
    return ask(local.list());
  }

  /** The group of a name. */
  public Optional<GroupInfo> find(String name) {
    return local.find(name).map(info -> ask(List.of(info)).get(0));
  }

  private List<GroupInfo> ask(List<GroupInfo> known) {
    Map<String, List<GroupInfo>> elsewhere = new LinkedHashMap<>();
    for (GroupInfo each : known) {
      if (!each.here()) {
        elsewhere.computeIfAbsent(each.owner(), owner -> new ArrayList<>()).add(each);
      }
    }
    if (elsewhere.isEmpty()) {
      return known;
    }
    nodes.refresh();
    Map<Long, GroupInfo> heard = new ConcurrentHashMap<>();
    List<Task> asking = new ArrayList<>();
    elsewhere.forEach(
        (owner, groups) ->
            nodes
                .withToken(owner)
                .ifPresent(
                    node -> {
                      groups.forEach(
                          each -> heard.put(each.number(), each.ledBy(node.name(), false)));
                      asking.add(
                          seams.start("braid-group-leaders", () -> ask(node, groups, heard)));
                    }));
    long end = seams.nanoTime() + PATIENCE.toNanos();
    asking.forEach(each -> each.join(Duration.ofNanos(Math.max(0, end - seams.nanoTime()))));
    return known.stream().map(each -> heard.getOrDefault(each.number(), each)).toList();
  }

  private void ask(NodeInfo node, List<GroupInfo> groups, Map<Long, GroupInfo> heard) {
    List<Long> numbers = groups.stream().map(GroupInfo::number).toList();
    try (NodeConnection there = NodeConnection.open(network, node.address())) {
      Decoder answer =
          there.call(
              Wire.LED, to -> Lists.encode(to, numbers, (number, out) -> out.varint(number)));
      for (GroupInfo each : Lists.decode(answer, Wire::info)) {
        heard.put(each.number(), each.ledBy(node.name(), false));
      }
    } catch (RuntimeException e) {
      LOG.debug("Node {} does not tell of its groups.", node.name(), e);
    }
  }
}
