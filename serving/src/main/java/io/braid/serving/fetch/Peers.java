package io.braid.serving.fetch;

import io.braid.serving.build.Manifest;
import java.util.Map;

/**
 * Which files of a version another node of the same zone brings in, so that this one copies them
 * from there (section 6: one replica from outside, the others from node to node).
 */
public interface Peers {
  /** No peers: all files come from outside. */
  Peers NONE = manifest -> Map.of();

  /** Files of a folder, by their names, that a peer brings in. */
  Map<String, Copy> of(Manifest manifest);

  /**
   * A file at a peer.
   *
   * @param name which it has there: that of the peer's own replica
   */
  record Copy(Peer peer, String name) {}
}
