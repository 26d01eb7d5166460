package io.braid.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.http.HttpRefusal;
import io.opentelemetry.api.OpenTelemetry;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RunningJobsTest {
  /** Fault 62: when others have taken all threads of the system, until they have gone. */
  @Test
  void aJobForWhichThereIsNoThreadDoesNotCountAsRunning() throws InterruptedException {
    AtomicInteger refusals = new AtomicInteger(1);
    Seams real = new SystemSeams();
    Seams seams =
        (Seams)
            Proxy.newProxyInstance(
                Seams.class.getClassLoader(),
                new Class<?>[] {Seams.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("start") && refusals.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                  return method.invoke(real, arguments);
                });
    RunningJobs jobs = new RunningJobs(seams, OpenTelemetry.noop(), 1);
    assertThatThrownBy(() -> jobs.start("j", "t", view -> {}))
        .isInstanceOf(HttpRefusal.class)
        .hasMessageContaining("no thread");
    assertThat(jobs.progress("j")).isEmpty();
    CountDownLatch ran = new CountDownLatch(1);
    jobs.start("j", "t", view -> ran.countDown());
    assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
    jobs.end();
  }
}
