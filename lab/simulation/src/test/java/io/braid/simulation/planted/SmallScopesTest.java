package io.braid.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.loads.DecideLoad;
import io.braid.core.time.Timestamp;
import io.braid.simulation.cluster.Tampering;
import io.braid.simulation.scope.Explorer;
import io.braid.simulation.scope.SmallScope;
import io.braid.simulation.scope.SmallScopes;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every order of steps of small cases, with and without planted bugs. */
class SmallScopesTest {
  private static Stream<SmallScope> quick() {
    return SmallScopes.quick().stream();
  }

  @ParameterizedTest
  @MethodSource("quick")
  void noOrderOfStepsShowsWhatMustNotBe(SmallScope scope) {
    Explorer.Report report = new Explorer(scope).explore(() -> false);
    assertThat(report.failure()).isNull();
    assertThat(report.isComplete()).isTrue();
    assertThat(report.states()).isGreaterThan(5);
    assertThat(report.orders().doubleValue()).isGreaterThan(report.states());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NO_CONFLICT_CHECK              | percolator, 2 transaction, 1 crash",
        "EARLY_COMMIT_TIMESTAMP         | percolator, 1 transaction, 1 reader, 1 crash",
        "COMMITTED_SECONDARY_CLEANED_UP | percolator, 1 transaction, 1 reader, 1 crash",
        "ABORTED_WRITE_VISIBLE          | percolator, 1 transaction, 1 reader, 1 crash",
        "LOCKS_IGNORED                  | percolator, 1 transaction, 1 reader, 1 crash",
        "COMMIT_WITHOUT_LOCK            | percolator, 1 transaction, 1 reader, 1 taken for dead",
        "CLOCK_IGNORES_READERS          | percolator, one tablet, 1 transaction, 1 reader, 1 crash",
        "CONFLICT_GRANTED               | omid, 2 transaction, 1 crash",
        "TENTATIVE_IGNORED              | omid, 1 transaction, 1 reader, 1 crash",
        "INVALIDATION_NOT_WRITTEN       | omid, 1 transaction, 1 reader, 1 crash",
        "PROPOSAL_OVERRIDES             | omid, 1 transaction, 1 reader, 1 crash",
        "NO_SECOND_LOOK                 | omid, 1 transaction, 1 reader, 1 crash",
        "ENTRY_REMOVED_TOO_EARLY        | omid, 2 transaction, 1 crash",
        "FAST_WRITES_UNSEEN             | omid, 1 transaction, 1 fast write, 1 crash",
        "FAST_WRITE_OVER_TENTATIVE      | omid, 1 transaction, 1 fast write, 1 crash",
        "FAST_WRITE_AGAIN               | omid, 1 transaction, 1 fast write, 1 crash",
        "HOLDS_OVERLOOKED               | percolator, 2 key group",
        "OUTSIDERS_LET_IN               | percolator, 1 key group, 1 transaction",
        "ACKNOWLEDGED_BEFORE_LOGGED     | percolator, 1 key group, 1 crash",
        "TAKEN_OVER_WITHOUT_LOG         | percolator, 1 key group, 1 crash",
        "DELETION_DOES_NOT_WAIT         | percolator, 1 key group, 1 transaction"
      })
  void someOrderOfStepsShowsTheBug(PlantedBug bug, String scope) {
    assertShown(bug.tampering, scope);
  }

  /** The timestamp at which a load commits is drawn before no reader passes over it any more. */
  @Test
  void someOrderOfStepsShowsALoadThatCommitsTooEarly() {
    assertShown(
        honest ->
            new Tampering.Surroundings(
                new AlteredStore(honest.store())
                    .with(
                        DecideLoad.INSTANCE,
                        (original, rows, a) ->
                            original.run(
                                rows,
                                a.step() == DecideLoad.Step.COMMIT
                                    ? DecideLoad.Request.commit(
                                        a.load(), a.commit() - 2 * Timestamp.STEP)
                                    : a)),
                honest.oracle()),
        "percolator, 1 load, 1 reader, 1 crash");
  }

  private static void assertShown(Tampering bug, String scope) {
    SmallScope shows =
        SmallScopes.all().stream()
            .filter(each -> each.name().equals(scope))
            .findFirst()
            .orElseThrow();
    String failure = new Explorer(shows, bug).explore(() -> false).failure();
    assertThat(failure).contains("It came so:", "/main (");
  }
}
