package io.braid.testkit.contract;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.braid.core.store.CellStore;
import io.braid.testkit.MemoryStore;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/** Plants defects in a store that obeys the laws, and sees the laws fail. */
class ContractCatchesDefectsTest {
  /** Laws of races meet a defect by chance: they get several chances, all others need one. */
  private static final int CHANCES = 30;

  private static @Nullable Defect planted;

  /** Skipped when something runs it by itself. */
  static class Defective extends CellStoreContract {
    @Override
    protected CellStore open() {
      Defect defect = planted;
      Assumptions.assumeTrue(defect != null);
      return requireNonNull(defect).plant.apply(new MemoryStore());
    }

    @Override
    public boolean reachesAcrossTablets() {
      return true;
    }
  }

  @ParameterizedTest
  @EnumSource(Defect.class)
  void lawFailsOnTheStoreWithTheDefect(Defect defect) {
    planted = defect;
    try {
      List<Failure> failures = List.of();
      for (int chance = 0; chance < CHANCES && failures.isEmpty(); chance++) {
        failures = run(defect.law);
      }
      assertThat(failures)
          .singleElement()
          .extracting(Failure::getException)
          .isInstanceOf(AssertionError.class);
    } finally {
      planted = null;
    }
  }

  private static List<Failure> run(String law) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectMethod(Defective.class, law))
            .build();
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, summary);
    assertThat(summary.getSummary().getTestsFoundCount()).isEqualTo(1);
    return summary.getSummary().getFailures();
  }
}
