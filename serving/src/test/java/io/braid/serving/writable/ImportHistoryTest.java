package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.imports.ImportKeeper;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.ImportState.Phase;
import io.braid.serving.writable.imports.WriteGate;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fault 44: what a node hears of imports that comes to its tuples from others. */
class ImportHistoryTest {
  private static final String STORE = "carts";
  private static final Topology TOPOLOGY =
      Topology.of(
          Ring.of(
              List.of(new Node(0, 0, ""), new Node(1, 0, ""), new Node(2, 0, "")),
              List.of(0, 1, 2)),
          Map.of());

  /** What nodes 1 and 2 say; null: nothing. */
  private final Map<Integer, Optional<ImportState>> said = new HashMap<>();

  private WriteGate gate;

  @BeforeEach
  void begin() throws IOException {
    gate = new WriteGate(STORE, ImportKeeper.memory());
  }

  @Test
  void theNewestOfWhatIsSaidIsKnown() throws IOException {
    said.put(1, Optional.of(state("old", 3, Phase.DONE)));
    said.put(2, Optional.of(state("new", 4, Phase.GIVEN_UP)));
    assertThat(learn()).isEmpty();
    assertThat(gate.state()).contains(state("new", 4, Phase.GIVEN_UP));
    said.put(2, Optional.empty());
    assertThat(learn()).isEmpty();
    assertThat(gate.state()).contains(state("new", 4, Phase.GIVEN_UP));
  }

  @Test
  void aSilentNodeIsNotWaitedForWhereAnotherAnswers() throws IOException {
    said.put(1, Optional.empty());
    assertThat(learn()).isEmpty();
    assertThat(gate.state()).isEmpty();
    said.clear();
    assertThat(learn()).hasValueSatisfying(why -> assertThat(why).contains("does not tell"));
  }

  @Test
  void anImportThatRunsIsWaitedFor() throws IOException {
    said.put(1, Optional.of(state("i", 3, Phase.IMPORTING)));
    assertThat(learn()).contains("Import i has not ended.");
    assertThat(gate.state()).isEmpty();
  }

  private static ImportState state(String id, long number, Phase phase) {
    return new ImportState(id, number, 0, "x", 1, phase);
  }

  private Optional<String> learn() throws IOException {
    EngineNetwork network =
        new EngineNetwork(3) {
          @Override
          public Optional<ImportState> imported(Node node, String store) throws IOException {
            Optional<ImportState> answer = said.get(node.id());
            if (answer == null) {
              throw new IOException("silent");
            }
            return answer;
          }
        };
    return new ImportHistory(network, TOPOLOGY, 0, STORE).learn(gate);
  }
}
