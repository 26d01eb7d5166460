package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.StoreException;
import io.braid.core.store.UnknownTableException;
import io.braid.store.hbase.FakeHBase.Regions;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.Reply;
import io.braid.store.hbase.wire.Reply.Item;
import io.braid.store.hbase.wire.Reply.Status;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Fault 14: what may have been executed is never told as not executed. */
class ItemCallsTest {
  private FakeHBase hbase = new FakeHBase(Duration.ofMillis(300));

  private void bePatient() {
    hbase = new FakeHBase(Duration.ofMinutes(1));
  }

  private @Nullable Item[] run(List<Row> rows) {
    return new ItemCalls(
            hbase.client,
            hbase.tables,
            new ClusterClock(hbase.client, hbase.tables),
            hbase.options,
            rows.stream().map(List::of).toList(),
            (table, items) ->
                new Call.Execute(
                    table,
                    "p",
                    Durability.SYNCED,
                    items.stream().map(item -> Bytes.of("" + item)).toList()))
        .run();
  }

  private Outcome<?> runOne() {
    Item item = run(List.of(Row.of(FakeHBase.TABLE, "r")))[0];
    return item != null && item.status() == Status.DONE
        ? Outcome.done(item.text())
        : ItemCalls.outcome(item);
  }

  private static Regions first(IOException failure, Regions then) {
    AtomicInteger tries = new AtomicInteger();
    return call -> {
      if (tries.getAndIncrement() == 0) {
        throw failure;
      }
      return then.answer(call);
    };
  }

  private static Regions all(Status status, String text) {
    return call -> FakeHBase.replyToAll(call, status, text);
  }

  @Test
  void aTryThatWasNotAnsweredLeavesTheOutcomeUnknown() {
    hbase.regions = first(new CallTimeoutException("late"), all(Status.UNAVAILABLE, "busy"));
    assertThat(runOne()).isInstanceOf(Outcome.Unknown.class);

    hbase.regions = first(new CallTimeoutException("late"), all(Status.WRONG_REGION, ""));
    assertThat(runOne()).isInstanceOf(Outcome.Unknown.class);

    hbase.regions =
        first(
            new CallTimeoutException("late"),
            call -> {
              throw new NotServingRegionException("it moves");
            });
    assertThat(runOne()).isInstanceOf(Outcome.Unknown.class);

    hbase.regions =
        first(
            new CallTimeoutException("late"),
            call -> {
              throw new DoNotRetryIOException("another release");
            });
    assertThat(runOne()).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void aTryThatWasNotAnsweredIsRepeatedUntilOneIs() {
    bePatient();
    hbase.regions = first(new CallTimeoutException("late"), all(Status.DONE, "result"));

    assertThat(runOne()).isEqualTo(Outcome.done("result"));
  }

  @Test
  void rowsThatWereSplitApartAfterATryThatWasNotAnsweredAreUnknown() {
    hbase.regions =
        call -> {
          hbase.cut("m");
          throw new CallTimeoutException("late");
        };
    List<Row> both = List.of(Row.of(FakeHBase.TABLE, "a"), Row.of(FakeHBase.TABLE, "z"));

    Item item =
        new ItemCalls(
                hbase.client,
                hbase.tables,
                new ClusterClock(hbase.client, hbase.tables),
                hbase.options,
                List.of(both),
                (table, items) ->
                    new Call.Execute(table, "p", Durability.SYNCED, List.of(Bytes.EMPTY)))
            .run()[0];

    assertThat(ItemCalls.outcome(item)).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void whatNeverReachedARegionWasNotExecuted() {
    for (IOException failure :
        List.of(new NotServingRegionException("it moves"), new ConnectException("nobody"))) {
      hbase.regions = first(failure, all(Status.UNAVAILABLE, "busy"));

      assertThat(runOne()).isInstanceOf(Outcome.NotExecuted.class);
    }
    hbase.regions =
        call -> {
          throw new DoNotRetryIOException("another release");
        };
    assertThatThrownBy(this::runOne)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("another release");
  }

  @Test
  void afterARegionHasMovedItIsLookedUpOnceForAllItems() {
    bePatient();
    List<Row> rows =
        IntStream.range(0, 50).mapToObj(i -> Row.of(FakeHBase.TABLE, "r" + i)).toList();
    hbase.regions = first(new NotServingRegionException("it moved"), all(Status.DONE, "result"));

    assertThat(run(rows)).extracting(Item::text).containsOnly("result").hasSize(50);
    assertThat(hbase.lookedAnew).hasValue(1);
  }

  @Test
  void aRegionThatHasYetToOpenWithANewFamilyIsAwaited() {
    bePatient();
    List<Integer> tries = new ArrayList<>();
    hbase.regions =
        call -> {
          tries.add(1);
          hbase.families = List.of("f", "g");
          return tries.size() < 3
              ? FakeHBase.replyToAll(
                  call, Status.UNKNOWN_FAMILY, Reply.unknownFamily(FakeHBase.TABLE, "g"))
              : FakeHBase.replyToAll(call, Status.DONE, "result");
        };

    assertThat(runOne()).isEqualTo(Outcome.done("result"));
    assertThat(tries).hasSize(3);
  }

  @Test
  void aFamilyThatTheTableDoesNotHaveIsToldAtOnce() {
    AtomicInteger tries = new AtomicInteger();
    hbase.regions =
        call -> {
          tries.incrementAndGet();
          return FakeHBase.replyToAll(
              call, Status.UNKNOWN_FAMILY, Reply.unknownFamily(FakeHBase.TABLE, "g"));
        };

    assertThatThrownBy(this::runOne)
        .isInstanceOf(UnknownTableException.class)
        .hasMessage("Table t has no family g. Create it first.");
    assertThat(tries).hasValue(1);
  }
}
