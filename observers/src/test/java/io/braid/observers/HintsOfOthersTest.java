package io.braid.observers;

import static io.braid.observers.Town.A;
import static io.braid.observers.Town.B;
import static io.braid.observers.Town.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.HintExchange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of processes that run no observers. */
@Timeout(60)
class HintsOfOthersTest {
  private final Town town = new Town();
  private final Exchange exchange = new Exchange();

  @AfterEach
  void close() {
    town.close();
  }

  /** Hands on what is offered. */
  private static final class Exchange implements HintExchange {
    final Map<String, BlockingQueue<Bytes>> topics = new ConcurrentHashMap<>();

    BlockingQueue<Bytes> of(String topic) {
      return topics.computeIfAbsent(topic, name -> new LinkedBlockingQueue<>());
    }

    @Override
    public boolean reachesOthers() {
      return true;
    }

    @Override
    public void offer(String topic, Bytes hint) {
      of(topic).add(hint);
    }

    @Override
    public List<Bytes> take(Set<String> wanted, int most, Duration wait) {
      try {
        Bytes hint = of(wanted.iterator().next()).poll(wait.toMillis(), TimeUnit.MILLISECONDS);
        return hint == null ? List.of() : List.of(hint);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return List.of();
      }
    }
  }

  /** Without scanners nothing else tells of the change. */
  @Test
  void aWorkerElsewhereIsToldOfAChange() {
    ObserverOptions noScanners = Town.quick().scanners(0);
    Town.Process worker = town.process("worker", exchange, noScanners);
    worker.observers.register(
        Observer.of("copy", TABLE, A, (tx, row) -> tx.set(row, B, tx.get(row, A).orElse(""))));
    worker.start();
    Town.Process writer = town.process("writer", exchange, noScanners);

    writer.set("a", A, "one");

    // A run is counted after its commit can be read.
    while (!writer.get("a", B).equals("one") || worker.observers.stats().runs() == 0) {
      Thread.onSpinWait();
    }
    assertThat(worker.observers.stats().runs()).isEqualTo(1);
  }

  @Test
  void whoRunsTheObserverItselfTellsNobody() {
    Town.Process worker = town.process("worker", exchange, Town.quick());
    worker.observers.register(Observer.of("look", TABLE, A, (tx, row) -> {}));
    worker.start();

    worker.set("a", A, "one");

    assertThat(worker.awaitIdle()).isTrue();
    assertThat(exchange.topics.values()).allMatch(BlockingQueue::isEmpty);
  }

  @Test
  void aHintThatCannotBeReadStopsNobody() {
    Town.Process worker = town.process("worker", exchange, Town.quick().scanners(0));
    worker.observers.register(Observer.of("look", TABLE, A, (tx, row) -> {}));
    worker.start();
    exchange.of(ChangeHint.topic(TABLE, A.name())).add(Bytes.of("?"));
    Town.Process writer = town.process("writer", exchange, Town.quick());

    writer.set("a", A, "one");

    while (worker.observers.stats().runs() == 0) {
      Thread.onSpinWait();
    }
  }
}
