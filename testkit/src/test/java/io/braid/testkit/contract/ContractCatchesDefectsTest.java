package io.braid.testkit.contract;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.braid.core.store.CellStore;
import io.braid.testkit.MemoryStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Plants defects in a store that obeys the laws, and sees the laws fail. */
class ContractCatchesDefectsTest {
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
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectMethod(Defective.class, defect.law))
            .build();
    SummaryGeneratingListener summary = new SummaryGeneratingListener();

    try {
      LauncherFactory.create().execute(request, summary);
    } finally {
      planted = null;
    }

    assertThat(summary.getSummary().getTestsFoundCount()).isEqualTo(1);
    assertThat(summary.getSummary().getFailures())
        .singleElement()
        .satisfies(
            failure -> assertThat(failure.getException()).isInstanceOf(AssertionError.class));
  }
}
