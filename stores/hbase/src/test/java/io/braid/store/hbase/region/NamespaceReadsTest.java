package io.braid.store.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.store.hbase.Fakes;
import io.braid.store.hbase.wire.TableMarks;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers of a region server do not pile up behind a region that does not answer. */
class NamespaceReadsTest {
  private static final int CALLS = 50;

  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger out = new AtomicInteger();
  private final AtomicInteger mostOut = new AtomicInteger();
  private final Connection connection =
      Fakes.of(Connection.class, Map.of("getTableBuilder", arguments -> builder()));
  private final ExecutorService threads = Executors.newFixedThreadPool(CALLS);

  /** A table that gives up as its operations do, and never answers. */
  private TableBuilder builder() {
    AtomicInteger timeout = new AtomicInteger(Integer.MAX_VALUE);
    TableBuilder[] self = new TableBuilder[1];
    self[0] =
        Fakes.of(
            TableBuilder.class,
            Map.of(
                "setOperationTimeout",
                arguments -> {
                  timeout.set((Integer) arguments[0]);
                  return self[0];
                },
                "build",
                arguments -> table(timeout.get())));
    return self[0];
  }

  private Table table(int timeoutMillis) {
    return Fakes.of(
        Table.class,
        Map.of(
            "get",
            arguments -> {
              mostOut.accumulateAndGet(out.incrementAndGet(), Math::max);
              end.await(timeoutMillis, TimeUnit.MILLISECONDS);
              out.decrementAndGet();
              throw new SocketTimeoutException("nobody answers");
            },
            "close",
            arguments -> null));
  }

  private void allEnd(Runnable call) throws Exception {
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      calls.add(threads.submit(call));
    }
    for (Future<?> each : calls) {
      each.get(20, TimeUnit.SECONDS);
    }
    assertThat(mostOut).hasValue(1);
  }

  @AfterEach
  void stop() {
    end.countDown();
    threads.shutdownNow();
  }

  @Test
  void oneCallAsksForTheWatermarkAndNoneWaitsForLong() throws Exception {
    ServerWatermark watermark = new ServerWatermark(connection, "braid");

    allEnd(watermark::refresh);

    assertThatThrownBy(watermark::get).isInstanceOf(ServerWatermark.StaleWatermarkException.class);
  }

  @Test
  void oneCallAsksForTheEpochAndNoneRunsWithoutIt() throws Exception {
    TableEpoch epoch = new TableEpoch(connection, "braid", new TableMarks("f", "id", 7, false));

    allEnd(() -> assertThat(epoch.find()).isFalse());
  }
}
