package io.braid.serving.node;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.chunk.Search;
import java.nio.file.Path;

/** A process that fetches, swaps and rolls back until it is killed; says what it has done. */
final class SwapLoop {
  private SwapLoop() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[1]);
    try (NodeDirectory node = NodeDirectory.own(Path.of(args[0]), new SystemSeams());
        ServedStore store = ServedStore.open(node.store(NodeFixture.STORE), Search.BINARY)) {
      StoreVersions versions = store.versions();
      while (true) {
        long next = versions.next();
        System.out.println("fetching " + next);
        NodeFixture.fetch(versions, folder, next);
        System.out.println("swapping " + next);
        store.swap(next, false);
        System.out.println("swapped " + next);
        if (next % 3 == 0) {
          long back = versions.rollbackTarget(0);
          System.out.println("swapping " + back);
          store.rollBack(0);
          System.out.println("swapped " + back);
        }
        store.retire(1);
        versions.trash().empty(1L << 40, () -> false);
      }
    }
  }
}
