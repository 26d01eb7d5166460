package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.serving.ring.Node;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/** Nodes that are engines in memory, each called directly; all of them answer. */
class EngineNetwork implements ReplicaNetwork {
  private final List<Engine> engines = new ArrayList<>();
  private final AtomicIntegerArray puts;

  EngineNetwork(int nodes) {
    for (int i = 0; i < nodes; i++) {
      engines.add(new MemoryEngine());
    }
    puts = new AtomicIntegerArray(nodes);
  }

  Engine engine(int node) {
    return engines.get(node);
  }

  /** The node has nothing any more. */
  void forget(int node) {
    engines.set(node, new MemoryEngine());
  }

  /** How often the node was told a version by another one. */
  int puts(int node) {
    return puts.get(node);
  }

  @Override
  public List<VersionedValue> get(Node node, String name, Bytes key, long ring) throws IOException {
    return engines.get(node.id()).get(key);
  }

  @Override
  public boolean put(Node node, String name, Bytes key, VersionedValue fresh, long ring)
      throws IOException {
    puts.incrementAndGet(node.id());
    return engines.get(node.id()).put(key, fresh);
  }

  @Override
  public boolean putFirst(Node master, String name, Bytes key, VersionedValue fresh, long ring)
      throws IOException {
    return engines.get(master.id()).putFirst(key, fresh, master.id());
  }

  @Override
  public boolean mirror(Node other, String name, Bytes key, VersionedValue fresh) {
    throw new AssertionError("Nothing moves.");
  }

  @Override
  public Bytes digest(Node other, String store, ReplicaAgreement.Span span) {
    throw new AssertionError("Nothing is compared.");
  }

  @Override
  public void hint(Node keeper, Hint hint, VersionedValue missed) {
    throw new AssertionError("No node misses anything.");
  }

  @Override
  public boolean keepsHints(Node keeper, String store) throws IOException {
    return false;
  }

  @Override
  public List<Engine.Entry> entries(
      Node node, String name, @Nullable Bytes after, @Nullable Integer master) {
    throw new AssertionError("Nobody asks for all.");
  }

  @Override
  public ReplicaEntries rest(Node node, String name, @Nullable Bytes after) {
    throw new AssertionError("Nobody is refilled.");
  }

  @Override
  public Optional<ImportState> imported(Node node, String store) throws IOException {
    return Optional.empty();
  }
}
