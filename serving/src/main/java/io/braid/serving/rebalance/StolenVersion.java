package io.braid.serving.rebalance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a node is to get of one version of a store.
 *
 * @param served versions of the store that were live where it comes from, in that order
 * @param donors for each partition the address of the node that has it
 */
public record StolenVersion(
    String store, long version, List<Long> served, Map<Integer, String> donors) {
  public StolenVersion {
    served = List.copyOf(served);
    donors = new TreeMap<>(donors);
  }

  public ObjectNode encode(ObjectNode object) {
    object.put("store", store).put("version", version);
    served.forEach(object.putArray("served")::add);
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
        object.path("store").asText(), object.path("version").asLong(), served, donors);
  }
}
