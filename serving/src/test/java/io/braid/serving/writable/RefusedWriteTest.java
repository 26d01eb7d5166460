package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.ServingException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Fault 55: what a writer is told that an import overtakes. */
class RefusedWriteTest {
  private static final String STORE = "carts";
  private static final Bytes KEY = Bytes.of("k");
  private static final Topology TOPOLOGY =
      Topology.of(Ring.of(List.of(new Node(0, 0, ""), new Node(1, 0, "")), List.of(0, 1)), Map.of())
          .with(StoreDefinition.readWrite(STORE, 2, Map.of(), 1, 1));

  /** Its first master does not answer, and the next one refuses, as an import has begun there. */
  private static final class Overtaken extends EngineNetwork {
    private final boolean silent;
    private final boolean stores;
    private int masters;

    /**
     * @param silent whether there is one that does not answer
     * @param stores whether it has taken the write
     */
    Overtaken(boolean silent, boolean stores) {
      super(2);
      this.silent = silent;
      this.stores = stores;
    }

    @Override
    public boolean putFirst(Node master, String name, Bytes key, VersionedValue fresh, long ring)
        throws IOException {
      if (masters++ == 0 && silent) {
        if (stores) {
          super.putFirst(master, name, key, fresh, ring);
        }
        throw new IOException("no answer");
      }
      throw new ServingException(ErrorCode.WRITES_REFUSED, "An import has begun.");
    }

    long there() {
      return List.of(0, 1).stream().filter(node -> !engine(node).get(KEY).isEmpty()).count();
    }

    void put() {
      new WritableStore(new SystemSeams(), this, () -> TOPOLOGY, STORE, 0)
          .put(KEY, VectorClock.NONE, Optional.of(Bytes.of("v")));
    }
  }

  @Test
  void aWriteThatASilentNodeMayHaveTakenIsNotCalledRefused() {
    for (boolean stores : new boolean[] {true, false}) {
      Overtaken nodes = new Overtaken(true, stores);
      assertThatThrownBy(nodes::put)
          .isInstanceOf(PutOutcomeUnknownException.class)
          .hasMessageContaining("no answer")
          .hasMessageContaining("An import has begun.");
      assertThat(nodes.there()).isEqualTo(stores ? 1 : 0);
    }
  }

  @Test
  void aWriteThatNobodyMayHaveTakenIsRefused() {
    Overtaken nodes = new Overtaken(false, false);
    assertThatThrownBy(nodes::put)
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.WRITES_REFUSED));
    assertThat(nodes.there()).isZero();
  }
}
