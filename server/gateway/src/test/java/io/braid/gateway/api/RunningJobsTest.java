package io.braid.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import io.braid.http.HttpRefusal;
import io.braid.testkit.runtime.ScarceThreads;
import io.opentelemetry.api.OpenTelemetry;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunningJobsTest {
  /** Fault 62: when others have taken all threads of the system, until they have gone. */
  @Test
  void aJobForWhichThereIsNoThreadDoesNotCountAsRunning() throws InterruptedException {
    RunningJobs jobs =
        new RunningJobs(ScarceThreads.of(new SystemSeams(), 1), OpenTelemetry.noop(), 1);
    assertThatThrownBy(() -> start(jobs, view -> {}))
        .isInstanceOf(HttpRefusal.class)
        .hasMessageContaining("no thread");
    assertThat(jobs.progress("j")).isEmpty();
    CountDownLatch ran = new CountDownLatch(1);
    start(jobs, view -> ran.countDown());
    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
    jobs.end();
  }

  private static void start(RunningJobs jobs, RunningJobs.Work work) {
    try (RunningJobs.Place place = jobs.place("j")) {
      place.start("t", work);
    }
  }
}
