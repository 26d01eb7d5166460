package io.braid.benchmarks.hbase;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.benchmarks.groups.GroupsBed;
import io.braid.benchmarks.groups.GroupsPlan;
import io.braid.core.data.Bytes;
import io.braid.core.store.Durability;
import io.braid.core.store.StoreException;
import io.braid.groups.node.GroupNode;
import io.braid.store.hbase.HBaseStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.TableName;

/**
 * Groups on HBase: a connection for clients that lead groups themselves, one connection for each
 * group node, and a plain table of the same HBase.
 */
final class HBaseBed implements GroupsBed {
  private final BenchCluster cluster;
  private final RawHBase raw;
  private final List<Braid> connections = new ArrayList<>();
  private final List<ProcessHandle> servers;
  private final boolean synced;

  private HBaseBed(BenchCluster cluster, RawHBase raw, boolean synced) throws IOException {
    this.cluster = cluster;
    this.raw = raw;
    this.servers = Processors.of(cluster.site());
    this.synced = synced;
  }

  static HBaseBed create(GroupsPlan plan, ClusterChoice choice, HBaseGroupsBenchmark.Log log)
      throws IOException {
    BenchCluster cluster = choice.open();
    HBaseBed bed = new HBaseBed(cluster, cluster.raw(), plan.durability() == Durability.SYNCED);
    BraidConfig config =
        BraidConfig.defaults()
            .with(Setting.DURABILITY, plan.durability().name().toLowerCase(Locale.ROOT));
    if (log == HBaseGroupsBenchmark.Log.folder) {
      config = config.with(Setting.GROUP_LOG, cluster.logs().toString());
    }
    // The first connection is the coordinator. Clients call it over the network.
    for (int i = 0; i <= plan.nodes(); i++) {
      bed.connections.add(cluster.connect(config));
      if (i > 0 || plan.nodes() == 0) {
        plan.start(bed.connections.get(i - 1).groupNodes(), "node-" + i);
      }
    }
    bed.db().dropTable("players");
    bed.db().dropTable("blind");
    return bed;
  }

  @Override
  public String name() {
    return "hbase";
  }

  @Override
  public Braid db() {
    return connections.get(connections.size() - 1);
  }

  @Override
  public List<GroupNode> nodes() {
    return connections.stream().flatMap(each -> each.groupNodes().all().stream()).toList();
  }

  @Override
  public void writeRaw(List<Bytes> keys, Bytes value) {
    try {
      raw.put(keys.stream().map(Bytes::toArray).toList(), value.toArray(), synced);
    } catch (IOException e) {
      throw new StoreException("HBase did not write.", e);
    }
  }

  @Override
  public OptionalLong calls() {
    return OptionalLong.of(((HBaseStore) db().store()).calls());
  }

  /**
   * Returns the work of the servers. The raw table has its own client, whose calls are not counted.
   */
  @Override
  public Optional<Servers> servers() {
    long calls = connections.stream().mapToLong(each -> ((HBaseStore) each.store()).calls()).sum();
    return Optional.of(new Servers(calls, Processors.micros(servers)));
  }

  @Override
  public void spread(String table) {
    try {
      raw.spread(TableName.valueOf(cluster.space(), table));
    } catch (IOException e) {
      throw new StoreException("The regions were not spread over the servers.", e);
    }
  }

  @Override
  public Goal goal() {
    return new Goal(50, 0.5);
  }

  @Override
  public void close() {
    connections.forEach(Braid::close);
    try {
      raw.close();
    } catch (IOException e) {
      throw new StoreException("The raw table stays.", e);
    } finally {
      cluster.close();
    }
  }
}
