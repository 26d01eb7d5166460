package io.braid.serving.net;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.core.failure.ErrorCode;
import io.braid.http.Json;
import io.braid.serving.ServingException;
import io.braid.serving.build.Manifest;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.fetch.Peer;
import io.braid.serving.fetch.Peers;
import io.braid.serving.node.Membership;
import io.braid.serving.node.MissedPush;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The peers of a node of a cluster, in its zone. While a push brings a version in, the first of a
 * chunk's replicas within the zone comes from outside, and the others are copied from it: as that
 * is another node from partition to partition, each node brings in its share. To a node that
 * catches up everything is copied from those that have the version, from one after the other.
 */
final class ZonePeers implements Peers {
  private final Membership member;
  private final String store;
  private final long version;
  private final boolean settled;
  private final Set<Integer> without;
  private final Map<String, Peer> peers = new HashMap<>();

  private ZonePeers(
      Membership member, String store, long version, boolean settled, Set<Integer> without) {
    this.member = member;
    this.store = store;
    this.version = version;
    this.settled = settled;
    this.without = without;
  }

  /** Peers that bring a version in at the same time as this node. */
  static ZonePeers bringing(Membership member, String store, long version) {
    return new ZonePeers(member, store, version, false, Set.of());
  }

  /** Peers that have a version which this node missed. */
  static ZonePeers having(Membership member, String store, MissedPush missed) {
    return new ZonePeers(member, store, missed.version(), true, missed.nodes());
  }

  @Override
  public Map<String, Copy> of(Manifest manifest) {
    Ring ring = member.topology().ring();
    if (manifest.place().partitions() != ring.partitions()) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "This version was built for a ring of "
              + manifest.place().partitions()
              + " partitions; the cluster's has "
              + ring.partitions()
              + ". Build it with --cluster.");
    }
    Routing routing = manifest.definition().routing(ring);
    Map<String, Copy> copies = new TreeMap<>();
    for (Manifest.Chunk chunk : manifest.chunks()) {
      ChunkName here = chunk.name();
      List<Node> nodes = routing.nodes(here.partition());
      Node giver = giver(nodes, here.partition() + here.chunk());
      if (giver != null) {
        Peer peer = peers.computeIfAbsent(giver.address(), HttpPeer::new);
        ChunkName there = new ChunkName(here.partition(), nodes.indexOf(giver), here.chunk());
        copies.put(here.data(), new Copy(peer, there.data()));
        copies.put(here.index(), new Copy(peer, there.index()));
      }
    }
    return copies;
  }

  /** The node that a chunk is copied from; null: it comes from outside. */
  private @Nullable Node giver(List<Node> replicas, int turn) {
    int zone = member.topology().ring().node(member.self()).zone();
    List<Node> near = replicas.stream().filter(node -> node.zone() == zone).toList();
    if (!settled) {
      return near.stream().findFirst().filter(this::canGive).orElse(null);
    }
    List<Node> having = near.stream().filter(this::canGive).toList();
    return having.isEmpty() ? null : having.get(turn % having.size());
  }

  private boolean canGive(Node node) {
    return node.id() != member.self() && !without.contains(node.id()) && !node.address().isEmpty();
  }

  /** A peer, asked over HTTP. */
  private final class HttpPeer implements Peer {
    private final HttpSource files;
    private final HttpSource about;

    HttpPeer(String address) {
      String base = (address.endsWith("/") ? address : address + "/") + "stores/" + store + "/";
      this.files = new HttpSource(URI.create(base + "versions/" + version + "/files/"));
      this.about = new HttpSource(URI.create(base));
    }

    @Override
    public InputStream open(String name, long offset) throws IOException {
      return files.open(name, offset);
    }

    /**
     * A fetch that has not begun, or was of another version, may be about to begin. Nodes that have
     * the version get no more of it.
     */
    @Override
    public FetchState standing() throws IOException {
      if (settled) {
        return new FetchState(0, true);
      }
      try (InputStream in = about.open("fetch", 0)) {
        JsonNode job = Json.read(in);
        boolean ours = job.path("version").asLong() == version;
        return new FetchState(
            ours ? job.path("fetched").asLong() : 0,
            ours && !job.path("state").asText().equals("running"));
      } catch (NoSuchFileException e) {
        return new FetchState(0, false);
      }
    }

    @Override
    public String toString() {
      return files.toString();
    }
  }
}
