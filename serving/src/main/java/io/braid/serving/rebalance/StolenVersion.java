package io.braid.serving.rebalance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.serving.node.Rollback;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of one version of a store that a node is to get.
 *
 * @param served versions of the store that were live at its source, in that order
 * @param rolledBack versions of the store that were rolled back there, and why
 * @param donors for each partition the address of the node that has it
 */
public record StolenVersion(
    String store,
    long version,
    List<Long> served,
    Map<Long, Rollback> rolledBack,
    Map<Integer, String> donors) {
  public StolenVersion {
    served = List.copyOf(served);
    donors = new TreeMap<>(donors);
  }

  public ObjectNode encode(ObjectNode object) {
    object.put("store", store).put("version", version);
    served.forEach(object.putArray("served")::add);
    Rollback.encode(rolledBack, object.putObject("rolledBack"));
    ObjectNode from = object.putObject("donors");
    donors.forEach((partition, address) -> from.put(partition.toString(), address));
    return object;
  }

  public static StolenVersion decode(JsonNode object) {
    List<Long> served = new ArrayList<>();
    object.path("served").forEach(version -> served.add(version.asLong()));
    Map<Integer, String> donors = new TreeMap<>();
    object
        .path("donors")
        .fields()
        .forEachRemaining(
            donor -> donors.put(Integer.valueOf(donor.getKey()), donor.getValue().asText()));
    return new StolenVersion(
        object.path("store").asText(),
        object.path("version").asLong(),
        served,
        Rollback.decode(object.path("rolledBack")),
        donors);
  }

  /** Returns what each node gets in a batch: all partitions of a version together. */
  static Map<Integer, List<StolenVersion>> byStealer(
      Batch batch, Map<Integer, NodeStores> inventory) {
    Map<String, List<Long>> served = new TreeMap<>();
    Map<String, Map<Long, Rollback>> rolledBack = new TreeMap<>();
    for (NodeStores node : inventory.values()) {
      for (NodeStores.Store store : node.stores()) {
        served.putIfAbsent(store.name(), store.served());
        rolledBack
            .computeIfAbsent(store.name(), name -> new TreeMap<>())
            .putAll(store.rolledBack());
      }
    }
    Map<Integer, Map<String, StolenVersion>> byStealer = new TreeMap<>();
    for (Batch.Theft theft : batch.thefts()) {
      if (theft.version() > 0) {
        Map<Integer, String> donors = new TreeMap<>();
        String address = batch.from().ring().node(theft.donor()).address();
        theft.partitions().forEach(partition -> donors.put(partition, address));
        byStealer
            .computeIfAbsent(theft.stealer(), s -> new LinkedHashMap<>())
            .merge(
                theft.store() + "/" + theft.version(),
                new StolenVersion(
                    theft.store(),
                    theft.version(),
                    served.getOrDefault(theft.store(), List.of()),
                    rolledBack.getOrDefault(theft.store(), Map.of()),
                    donors),
                StolenVersion::and);
      }
    }
    Map<Integer, List<StolenVersion>> lists = new TreeMap<>();
    byStealer.forEach((stealer, versions) -> lists.put(stealer, List.copyOf(versions.values())));
    return lists;
  }

  private StolenVersion and(StolenVersion other) {
    Map<Integer, String> both = new TreeMap<>(donors);
    both.putAll(other.donors);
    return new StolenVersion(store, version, served, rolledBack, both);
  }
}
