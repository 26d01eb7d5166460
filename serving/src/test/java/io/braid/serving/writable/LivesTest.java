package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.imports.ImportKeeper;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.ImportState.Phase;
import io.braid.serving.writable.imports.WriteGate;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Faults 55, 56 and 64: what was written before a store was dropped or emptied comes late, by a
 * request under way, a hint, another replica or an import; and nodes and clients hear of the new
 * life one after another.
 */
class LivesTest {
  private static final String STORE = "carts";
  private static final Bytes KEY = Bytes.of("k");
  private static final Topology FIRST =
      Topology.of(Ring.of(List.of(new Node(0, 0, ""), new Node(1, 0, "")), List.of(0, 1)), Map.of())
          .with(StoreDefinition.readWrite(STORE, 2, Map.of(), 1, 1).begun(1));
  private static final Topology NEXT = FIRST.with(FIRST.store(STORE).begun(FIRST.version() + 1));

  private final Engine[] kept = {new MemoryEngine(), new MemoryEngine()};
  private final Topology[] known = {FIRST, FIRST};
  private final ImportKeeper keeper = ImportKeeper.memory();
  private final ReplicaNetwork network = network();
  private Topology client = FIRST;

  @Test
  void aRequestOfBeforeComesToNothing() throws Exception {
    VersionedValue old = of(life(FIRST), "old");
    tellAll();
    for (ReplicaEndpoint endpoint : List.of(endpoint(0), endpoint(1))) {
      assertThatThrownBy(() -> endpoint.put(STORE, KEY, old, ring()))
          .isInstanceOf(WrongNodeException.class);
      assertThatThrownBy(() -> endpoint.putFirst(STORE, KEY, old, ring()))
          .isInstanceOf(WrongNodeException.class);
      assertThatThrownBy(() -> endpoint.mirrored(STORE, KEY, old))
          .isInstanceOf(WrongNodeException.class);
    }
    assertThat(store().siblings(KEY)).isEmpty();
  }

  @Test
  void whatLiesThereOfBeforeIsNotSeenAndStandsInNobodysWay() {
    VersionedValue old = of(life(FIRST), "old").over(of(life(FIRST), "imported by 1"));
    kept[0].put(KEY, old.over(new VersionedValue(imported(FIRST, 3), 0, Optional.empty())));
    kept[1].put(KEY, old);
    tellAll();
    assertThat(store().get(KEY)).isEmpty();
    assertThat(ofNode(0).entries(null, 10)).isEmpty();

    VersionedValue fresh = store().put(KEY, VectorClock.NONE, Optional.of(Bytes.of("new")));

    assertThat(store().siblings(KEY)).containsExactly(fresh);
    VersionedValue changed = store().put(KEY, fresh.clock(), Optional.of(Bytes.of("newer")));
    assertThat(kept[0].get(KEY)).containsExactly(changed);
  }

  @Test
  void whatLiesThereOfBeforeIsTakenAwayInTheEnd() {
    kept[0].put(KEY, of(life(FIRST), "old"));
    kept[0].put(Bytes.of("other"), of(life(NEXT), "new"));
    tellAll();
    assertThat(ofNode(0).purge()).isEqualTo(1);
    assertThat(kept[0].entries(null, 10))
        .extracting(Engine.Entry::key)
        .containsOnly(Bytes.of("other"));
  }

  @Test
  void aCopyBringsNothingOfBefore() {
    tellAll();
    ofNode(1)
        .putAll(
            List.of(
                new Engine.Entry(KEY, List.of(of(life(FIRST), "old"))),
                new Engine.Entry(Bytes.of("other"), List.of(of(life(NEXT), "new")))));
    assertThat(kept[1].entries(null, 10))
        .extracting(Engine.Entry::key)
        .containsOnly(Bytes.of("other"));
  }

  @Test
  void hintsOfBeforeAreForgotten() {
    Engine slop = new MemoryEngine();
    HintPusher.keep(slop, new Hint(1, STORE, KEY), of(life(FIRST), "old"));
    HintPusher.keep(slop, new Hint(1, STORE, Bytes.of("other")), of(life(NEXT), "new"));
    tellAll();
    SystemSeams seams = new SystemSeams();
    ContentAges ages = new ContentAges(seams, MemoryEngine::new);
    new HintPusher(seams, slop, ages, network, Duration.ZERO).push(NEXT);
    assertThat(slop.entries(null, 10)).isEmpty();
    assertThat(kept[1].entries(null, 10))
        .extracting(Engine.Entry::key)
        .containsOnly(Bytes.of("other"));
  }

  @Test
  void aNodeThatWasNotToldShowsNothingOfBeforeToWhoWas() {
    kept[0].put(KEY, of(life(FIRST), "old"));
    kept[1].put(KEY, of(life(FIRST), "old"));
    known[1] = NEXT;
    client = NEXT;
    assertThat(store().siblings(KEY)).isEmpty();
    VersionedValue fresh = store().put(KEY, VectorClock.NONE, Optional.of(Bytes.of("new")));
    assertThat(kept[0].get(KEY))
        .as("not told")
        .extracting(VersionedValue::clock)
        .doesNotContain(fresh.clock());
    tellAll();
    assertThat(store().siblings(KEY)).containsExactly(fresh);
  }

  @Test
  void aClientThatWasNotToldHearsOfIt() {
    WritableStore store = store();
    VersionedValue old = store.put(KEY, VectorClock.NONE, Optional.of(Bytes.of("old")));
    known[0] = NEXT;
    known[1] = NEXT;
    assertThatThrownBy(() -> store.put(KEY, old.clock(), Optional.of(Bytes.of("older"))))
        .isInstanceOf(PutOutcomeUnknownException.class);
    assertThat(client).as("the client knows").isEqualTo(NEXT);
    VersionedValue fresh = store.put(KEY, Bytes.of("new"));
    assertThat(store.siblings(KEY)).containsExactly(fresh);
  }

  /** What was seen of the store before it was emptied is not written into it after that. */
  @Test
  void whatIsMadeOfWhatWasSeenBeforeIsMadeAnew() {
    Bytes old = Bytes.of("old");
    List<Optional<Bytes>> seen = new ArrayList<>();
    Function<Optional<Bytes>, Bytes> emptiedMeanwhile =
        before -> {
          seen.add(before);
          tellAll();
          client = NEXT;
          return Bytes.of(before.map(Bytes::toUtf8).orElse("") + "+new");
        };
    store().put(KEY, VectorClock.NONE, Optional.of(old));
    store().append(KEY, emptiedMeanwhile);
    assertThat(store().get(KEY)).hasValue(Bytes.of("+new"));

    known[0] = FIRST;
    known[1] = FIRST;
    client = FIRST;
    kept[0].truncate();
    kept[1].truncate();
    store().put(KEY, VectorClock.NONE, Optional.of(old));
    store().applyUpdate(KEY, b -> Optional.of(emptiedMeanwhile.apply(b)), Resolver.NEWEST);
    assertThat(store().get(KEY)).hasValue(Bytes.of("+new"));
    assertThat(seen)
        .containsExactly(Optional.of(old), Optional.empty(), Optional.of(old), Optional.empty());
  }

  @Test
  void noImportIsNamedThatHasNotBeen() throws Exception {
    VectorClock madeUp = imported(FIRST, 7);
    assertThatThrownBy(() -> store().put(KEY, madeUp, Optional.of(Bytes.of("v"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("an import that has not been");
    assertThat(kept[0].get(KEY)).isEmpty();
    long seventh = madeUp.imports();
    keeper.write(new ImportState("i", seventh, 0, "x", 1, Phase.DONE));
    store().put(KEY, madeUp, Optional.of(Bytes.of("v")));
    // Node 1 came later, and knows of imports by what it has of them.
    keeper.write(new ImportState("i", 1, 0, "x", 1, Phase.DONE));
    store().put(KEY, store().siblings(KEY).get(0).clock(), Optional.of(Bytes.of("w")));
  }

  private static long life(Topology topology) {
    return topology.store(STORE).life();
  }

  private static VersionedValue of(long life, String value) {
    return new VersionedValue(
        VectorClock.NONE.incremented(1, life), 0, Optional.of(Bytes.of(value)));
  }

  private static VectorClock imported(Topology topology, int nth) {
    return VectorClock.NONE.imported(VectorClock.firstImport(life(topology)) + nth - 1);
  }

  private void tellAll() {
    known[0] = NEXT;
    known[1] = NEXT;
    client = NEXT;
  }

  private static long ring() {
    return FIRST.ringVersion();
  }

  private LifeEngine ofNode(int node) {
    return new LifeEngine(kept[node], life(known[node]));
  }

  private WritableStore store() {
    return new WritableStore(
        new SystemSeams(), network, () -> client, version -> client = newest(version), STORE, 0);
  }

  private Topology newest(long version) {
    return version >= NEXT.version() ? NEXT : client;
  }

  private ReplicaEndpoint endpoint(int node) {
    return new ReplicaEndpoint(
        () -> new ReplicaEndpoint.View(node, Optional.of(known[node]), Optional.empty()),
        network,
        store -> kept[node],
        store -> {
          try {
            return new WriteGate(STORE, keeper);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  /** Each node is asked at its endpoint. */
  private ReplicaNetwork network() {
    return (ReplicaNetwork)
        Proxy.newProxyInstance(
            LivesTest.class.getClassLoader(),
            new Class<?>[] {ReplicaNetwork.class},
            (proxy, method, arguments) -> {
              List<Object> rest = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
              if (method.getName().equals("hint")) {
                return null;
              }
              ReplicaEndpoint endpoint = endpoint(((Node) arguments[0]).id());
              try {
                return ReplicaEndpoint.class
                    .getMethod(method.getName(), types(method.getParameterTypes()))
                    .invoke(endpoint, rest.toArray());
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static Class<?>[] types(Class<?>[] all) {
    return List.of(all).subList(1, all.length).toArray(Class<?>[]::new);
  }
}
