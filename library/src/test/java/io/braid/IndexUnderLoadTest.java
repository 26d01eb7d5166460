package io.braid;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.indexes.Index.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Indexes, and changes of the protocol, while clients work (Omid, section 6.1). */
class IndexUnderLoadTest extends IndexedPeople {
  /**
   * Writers of both kinds go on while the index is built; in the end it says what the table says.
   */
  @ParameterizedTest
  @CsvSource({"PERCOLATOR,GLOBAL", "PERCOLATOR,LOCAL", "OMID,GLOBAL", "OMID,LOCAL"})
  void anIndexIsBuiltUnderLoad(Protocol protocol, Kind kind) throws Exception {
    db.ensureTable("people", protocol, "f");
    for (int i = 0; i < 200; i += 2) {
      put(i, "c" + i % 7);
    }
    AtomicLong writes = new AtomicLong();
    Supplier<Exception> load =
        load(
            random -> {
              long i = random.nextInt(200);
              if (random.nextInt(4) == 0) {
                fast(i, "f" + random.nextInt(7));
              } else if (random.nextInt(4) == 0) {
                db.run(
                    tx -> {
                      tx.delete(row(i), CITY);
                      return 0;
                    });
              } else {
                put(i, "c" + random.nextInt(7));
              }
              writes.incrementAndGet();
            });
    while (writes.get() < 20) {
      Thread.yield();
    }
    store.splitTablet("people", row(50).key());
    create(kind);
    store.splitTablet("people", row(100).key());
    long soon = writes.get() + 60;
    while (writes.get() < soon) {
      Thread.yield();
    }
    assertThat(load.get()).isNull();
    requireEqual();
  }

  /** A table changes its protocol again and again under load; no update is lost. */
  @Test
  void aTableChangesItsProtocolWhileClientsWork() throws Exception {
    db.ensureTable("people", Protocol.PERCOLATOR, "f");
    create(Kind.GLOBAL);
    AtomicLong done = new AtomicLong();
    Supplier<Exception> load =
        load(
            random -> {
              long a = random.nextInt(20);
              long b = 20 + random.nextInt(20);
              db.run(
                  tx -> {
                    tx.set(row(a), N, tx.get(row(a), N).orElse(0L) + 1);
                    tx.set(row(b), N, tx.get(row(b), N).orElse(0L) + 1);
                    tx.set(row(a), CITY, "c" + random.nextInt(3));
                    return 0;
                  });
              done.addAndGet(2);
            });
    for (int i = 0; i < 4; i++) {
      long soon = done.get() + 20;
      while (done.get() < soon) {
        Thread.yield();
      }
      Protocol next = i % 2 == 0 ? Protocol.OMID : Protocol.PERCOLATOR;
      db.tables().switchProtocol("people", next);
      assertThat(db.tables().protocol(NAME)).isEqualTo(next);
    }
    assertThat(load.get()).isNull();
    long sum = 0;
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(Scan.of("people").column(N))) {
      while (rows.hasNext()) {
        sum += rows.next().get(N).orElseThrow();
      }
    }
    assertThat(sum).isEqualTo(done.get());
    requireEqual();
  }

  /** Several threads may write in one transaction: a column and its index rows stay together. */
  @ParameterizedTest
  @EnumSource
  void threadsOfOneTransactionKeepTheIndexInStep(Protocol protocol) throws Exception {
    db.ensureTable("people", protocol, "f");
    put(1, "Ulm");
    create(Kind.GLOBAL);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    CyclicBarrier together = new CyclicBarrier(2);
    try (Transaction tx = db.begin()) {
      List<Future<?>> ends = new ArrayList<>();
      for (String name : List.of("a", "b")) {
        ends.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 300; i++) {
                    together.await();
                    tx.set(row(1), CITY, name + i);
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      tx.commit();
    } finally {
      threads.shutdownNow();
    }
    requireEqual();
  }
}
