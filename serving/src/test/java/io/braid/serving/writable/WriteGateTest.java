package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.imports.ImportEndpoint;
import io.braid.serving.imports.ImportStep;
import io.braid.serving.writable.imports.ImportKeeper;
import io.braid.serving.writable.imports.ImportState;
import io.braid.serving.writable.imports.ImportState.Phase;
import io.braid.serving.writable.imports.WriteGate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Faults 44 and 45: what one node lets pass while an import comes, call by call. */
class WriteGateTest {
  private static final String STORE = "carts";
  private static final Bytes KEY = Bytes.of("k");

  private final ImportKeeper kept = ImportKeeper.memory();
  private final WriteGate gate;
  private final Engine engine = new MemoryEngine();

  /** What the node was asked for beside its gate. */
  private final List<String> asked = new ArrayList<>();

  private long topology = 1;
  private final ImportEndpoint endpoint = new ImportEndpoint(new Alone(), new EngineNetwork(1));

  WriteGateTest() throws IOException {
    gate = new WriteGate(STORE, kept);
  }

  private final class Alone implements ImportEndpoint.Place {
    @Override
    public WriteGate gate(String store) {
      return gate;
    }

    @Override
    public Engine engine(String store) {
      return engine;
    }

    @Override
    public ReplicaAgreement agreement(String store) {
      asked.add("agree");
      throw new IllegalStateException("There is nobody to agree with.");
    }

    @Override
    public void deliverHints() {
      asked.add("hints");
    }

    @Override
    public long topology() {
      return topology;
    }
  }

  private static ImportState ticket(String id, long number) {
    return new ImportState(id, number, 5, "tuples", 1, Phase.REFUSING);
  }

  private static ImportState ticket(long number) {
    return ticket("nightly", number);
  }

  private static ImportedTuple tuple(String value) {
    return new ImportedTuple(KEY, Bytes.of(value));
  }

  private static VersionedValue version(String clock, String value) {
    return new VersionedValue(VectorClock.parse(clock), 5, Optional.of(Bytes.of(value)));
  }

  private void refusedAt(ImportState ticket, ImportStep step) {
    assertThatThrownBy(() -> endpoint.step(STORE, ticket, step))
        .as("%s of %s", step, ticket)
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_REFUSED));
  }

  private Optional<Phase> phase() {
    return gate.state().map(ImportState::phase);
  }

  @Test
  void aNodeRemembersThatItRefusesWrites() throws IOException {
    gate.refuse(ticket(1));
    gate.begin(ticket(1));
    gate.take(ticket(1), () -> {});
    WriteGate again = new WriteGate(STORE, kept);
    assertThatThrownBy(again::refuseWhileRunning)
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.WRITES_REFUSED))
        .hasMessageContaining("takes no writes until import nightly has ended")
        .hasMessageContaining("--abort");
    assertThatThrownBy(() -> again.take(ticket(1), () -> {}))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_REFUSED));
    again.begin(ticket(1));
    again.take(ticket(1), () -> {});
    again.lock(ticket(1));
    again.open(ticket(1));
    new WriteGate(STORE, kept).refuseWhileRunning();
  }

  @Test
  void messagesThatAreLateBeginNothing() throws IOException {
    gate.refuse(ticket(3));
    gate.begin(ticket(3));
    gate.lock(ticket(3));
    assertThatThrownBy(() -> gate.take(ticket(3), () -> {}))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_REFUSED));
    assertThatThrownBy(() -> gate.begin(ticket(3)))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_REFUSED));
    gate.open(ticket(3));
    gate.refuseWhileRunning();
    for (long number : new long[] {2, 3}) {
      assertThatThrownBy(() -> gate.refuse(ticket(number)))
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_REFUSED));
      gate.refuseWhileRunning();
    }
    gate.end(ticket(4));
    assertThatThrownBy(() -> gate.refuse(ticket(4)))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_REFUSED));
    gate.refuseWhileRunning();
  }

  /** Those that had not begun to import are told to go on: one of them may not have refused yet. */
  @Test
  void whoIsToldThatAnImportWasGivenUpBeginsItNoMore() throws IOException {
    endpoint.step(STORE, ticket(1), ImportStep.GIVE_UP);
    refusedAt(ticket(1), ImportStep.REFUSE);
    gate.refuseWhileRunning();
    endpoint.step(STORE, ticket(2), ImportStep.REFUSE);
  }

  @Test
  void aNodeComesToRestBeforeItChanges() throws IOException {
    gate.refuse(ticket(1));
    gate.begin(ticket(1));
    gate.take(
        ticket(1),
        () -> {
          assertThatThrownBy(() -> gate.lock(ticket(1)))
              .isInstanceOfSatisfying(
                  ServingException.class,
                  failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_BUSY));
          assertThatThrownBy(() -> gate.end(ticket(1)))
              .isInstanceOfSatisfying(
                  ServingException.class,
                  failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_BUSY));
        });
    gate.lock(ticket(1));
    gate.end(ticket(1));
    assertThatThrownBy(() -> gate.open(ticket(1)))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_REFUSED));
    assertThatThrownBy(gate::refuseWhileRunning)
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.WRITES_REFUSED));
    gate.giveUp(ticket(1));
    gate.refuseWhileRunning();
  }

  /** A write that was under way when the node began to refuse may not be seen by who compares. */
  @Test
  void aWriteUnderWayKeepsANodeFromAgreeingAndFromImporting() throws IOException {
    gate.write(
        () -> {
          assertThatThrownBy(
                  () -> {
                    endpoint.step(STORE, ticket(1), ImportStep.REFUSE);
                    endpoint.step(STORE, ticket(1), ImportStep.AGREE);
                  })
              .isInstanceOfSatisfying(
                  ServingException.class,
                  failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_BUSY));
          assertThatThrownBy(() -> endpoint.step(STORE, ticket(1), ImportStep.BEGIN))
              .isInstanceOfSatisfying(
                  ServingException.class,
                  failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_BUSY));
          return true;
        });
    assertThat(asked).isEmpty();
    endpoint.step(STORE, ticket(1), ImportStep.DELIVER);
    assertThat(asked).as("hints may come at any time").containsExactly("hints");
    assertThatThrownBy(() -> endpoint.step(STORE, ticket(1), ImportStep.AGREE))
        .hasMessage("There is nobody to agree with.");
    endpoint.step(STORE, ticket(1), ImportStep.BEGIN);
    assertThat(phase()).contains(Phase.IMPORTING);
  }

  /** Each step has its turn, however often it is asked for, and by whom. */
  @Test
  void noStepComesBeforeItsTurn() throws IOException {
    refusedAt(ticket(1), ImportStep.AGREE);
    refusedAt(ticket(1), ImportStep.BEGIN);
    endpoint.step(STORE, ticket(1), ImportStep.REFUSE);
    refusedAt(ticket(1), ImportStep.LOCK);
    refusedAt(ticket(1), ImportStep.OPEN);
    assertThatThrownBy(() -> endpoint.take(STORE, ticket(1), List.of(tuple("early"))))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_REFUSED));
    endpoint.step(STORE, ticket(1), ImportStep.BEGIN);
    refusedAt(ticket(1), ImportStep.AGREE);
    refusedAt(ticket(1), ImportStep.OPEN);
    refusedAt(ticket(1), ImportStep.GIVE_UP);
    assertThat(phase()).contains(Phase.IMPORTING);
    endpoint.step(STORE, ticket(1), ImportStep.END);
    refusedAt(ticket(1), ImportStep.BEGIN);
    refusedAt(ticket(1), ImportStep.LOCK);
    assertThat(phase()).contains(Phase.ENDING);
    assertThat(engine.get(KEY)).isEmpty();
  }

  /** An import that was given up and run again has its name, and another number. */
  @Test
  void messagesOfAnotherImportDoNothing() throws IOException {
    endpoint.step(STORE, ticket(1), ImportStep.REFUSE);
    endpoint.step(STORE, ticket(1), ImportStep.GIVE_UP);
    endpoint.step(STORE, ticket(2), ImportStep.REFUSE);
    endpoint.step(STORE, ticket(2), ImportStep.BEGIN);
    for (ImportState other : List.of(ticket(1), ticket("another", 2))) {
      for (ImportStep step : ImportStep.values()) {
        if (step != ImportStep.DELIVER) {
          refusedAt(other, step);
        }
      }
      assertThatThrownBy(() -> endpoint.take(STORE, other, List.of(tuple("other"))))
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.IMPORT_REFUSED));
    }
    assertThat(gate.state()).contains(ticket(2).in(Phase.IMPORTING));
    assertThat(engine.get(KEY)).isEmpty();
    endpoint.take(STORE, ticket(2), List.of(tuple("its own")));
    assertThat(engine.get(KEY)).containsExactly(version("10000:2", "its own"));
  }

  /** Should a replica have lacked something, a tuple that comes again does not swallow it. */
  @Test
  void aTupleThatComesAgainLeavesWhatCameBetween() throws IOException {
    endpoint.step(STORE, ticket(1), ImportStep.REFUSE);
    endpoint.step(STORE, ticket(1), ImportStep.BEGIN);
    endpoint.take(STORE, ticket(1), List.of(tuple("imported")));
    VersionedValue between = version("1:1", "between");
    assertThat(engine.put(KEY, between)).isTrue();
    endpoint.take(STORE, ticket(1), List.of(tuple("imported")));
    assertThat(engine.get(KEY)).containsExactlyInAnyOrder(between, version("10000:1", "imported"));
  }

  /** Tuples are sent by one topology; one that came while an import runs moved no partitions. */
  @Test
  void allNodesKnowTheTopologyByWhichAnImportBegins() throws IOException {
    topology = 2;
    refusedAt(ticket(1), ImportStep.REFUSE);
    gate.refuseWhileRunning();
    topology = 1;
    endpoint.step(STORE, ticket(1), ImportStep.REFUSE);
    topology = 2;
    endpoint.step(STORE, ticket(1), ImportStep.REFUSE);
    assertThat(phase()).contains(Phase.REFUSING);
  }
}
