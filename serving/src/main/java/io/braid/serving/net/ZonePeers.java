package io.braid.serving.net;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.core.runtime.Seams;
import io.braid.http.Json;
import io.braid.serving.build.Manifest;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.fetch.Peer;
import io.braid.serving.fetch.Peers;
import io.braid.serving.node.Membership;
import io.braid.serving.node.VersionRefusedException;
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
import java.util.TreeMap;

/**
 * The peers of a node of a cluster: of each chunk the first of its replicas within a zone comes
 * from outside, the others of that zone are copied from it. As the first one is another node from
 * partition to partition, each node brings in its share.
 */
final class ZonePeers implements Peers {
  private final Seams seams;
  private final Membership member;
  private final String store;
  private final long version;
  private final Map<String, Peer> peers = new HashMap<>();

  ZonePeers(Seams seams, Membership member, String store, long version) {
    this.seams = seams;
    this.member = member;
    this.store = store;
    this.version = version;
  }

  @Override
  public Map<String, Copy> of(Manifest manifest) {
    Ring ring = member.topology().ring();
    if (manifest.place().partitions() != ring.partitions()) {
      throw new VersionRefusedException(
          "This version was built for a ring of "
              + manifest.place().partitions()
              + " partitions; the cluster's has "
              + ring.partitions()
              + ". Build it with --cluster.");
    }
    Routing routing = manifest.definition().routing(ring);
    int zone = ring.node(member.self()).zone();
    Map<String, Copy> copies = new TreeMap<>();
    for (Manifest.Chunk chunk : manifest.chunks()) {
      ChunkName here = chunk.name();
      List<Node> nodes = routing.nodes(here.partition());
      for (int replica = 0; replica < nodes.size(); replica++) {
        Node node = nodes.get(replica);
        if (node.zone() == zone) {
          if (node.id() != member.self() && !node.address().isEmpty()) {
            Peer peer = peers.computeIfAbsent(node.address(), HttpPeer::new);
            ChunkName there = new ChunkName(here.partition(), replica, here.chunk());
            copies.put(here.data(), new Copy(peer, there.data()));
            copies.put(here.index(), new Copy(peer, there.index()));
          }
          break;
        }
      }
    }
    return copies;
  }

  /** A peer, asked over HTTP. */
  private final class HttpPeer implements Peer {
    private final HttpSource files;
    private final HttpSource about;

    HttpPeer(String address) {
      String base = (address.endsWith("/") ? address : address + "/") + "stores/" + store + "/";
      this.files = new HttpSource(seams, URI.create(base + "versions/" + version + "/files/"));
      this.about = new HttpSource(seams, URI.create(base));
    }

    @Override
    public InputStream open(String name, long offset) throws IOException {
      return files.open(name, offset);
    }

    /** A fetch that has not begun, or was of another version, may be about to begin. */
    @Override
    public Standing standing() throws IOException {
      try (InputStream in = about.open("fetch", 0)) {
        JsonNode job = Json.read(in);
        boolean ours = job.path("version").asLong() == version;
        return new Standing(
            ours ? job.path("fetched").asLong() : 0,
            ours && !job.path("state").asText().equals("running"));
      } catch (NoSuchFileException e) {
        return new Standing(0, false);
      }
    }

    @Override
    public String toString() {
      return files.toString();
    }
  }
}
