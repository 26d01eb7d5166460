package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.groups.protocol.KeyOwners;
import java.util.List;

/**
 * Decides which node owns a key, by rendezvous hashing: of all live nodes the one whose name,
 * hashed with the key, gives the highest number. So each node owns about as many keys as any other,
 * however few tablets a table has and whichever keys are used. When a node comes or goes, only the
 * keys that it gets or had change their owner.
 *
 * <p>Nodes may disagree: for a moment, when a node comes or goes, and as long as some nodes are of
 * a version that placed keys by tablets. That does no harm. A key is yielded by a test-and-set of
 * its row, which any node may do, and the record of a group decides who leads it.
 */
final class KeyPlacement implements KeyOwners {
  private static final long OFFSET = 0xCBF29CE484222325L;
  private static final long PRIME = 0x100000001B3L;

  private final NodeDirectory nodes;
  private final String self;

  KeyPlacement(NodeDirectory nodes, String self) {
    this.nodes = nodes;
    this.self = self;
  }

  @Override
  public String owner(Row key) {
    return owner(key, nodes.live().stream().map(NodeInfo::name).toList(), self);
  }

  /**
   * @param nobody the answer when there is no name
   */
  static String owner(Row key, List<String> names, String nobody) {
    // A separator that no name of a table contains.
    long hash = add(add(OFFSET, Bytes.of(key.table() + "/")), key.key());
    String owner = nobody;
    long highest = Long.MIN_VALUE;
    for (String name : names) {
      long score = mix(add(mix(hash), Bytes.of(name)));
      if (score > highest) {
        owner = name;
        highest = score;
      }
    }
    return owner;
  }

  @Override
  public boolean mayYield(Row key, String node) {
    return true;
  }

  /** FNV-1a. */
  private static long add(long hash, Bytes bytes) {
    long sum = hash;
    for (int i = 0; i < bytes.length(); i++) {
      sum = (sum ^ (bytes.at(i) & 0xFF)) * PRIME;
    }
    return sum;
  }

  /** Of Murmur 3: each bit depends on all. */
  private static long mix(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ (mixed >>> 33);
  }
}
