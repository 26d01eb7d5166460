package io.braid.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.store.Durability;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.Reply;
import io.braid.store.hbase.wire.Reply.Item;
import io.braid.store.hbase.wire.Reply.Status;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class CallGatheringTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private final List<Call.Execute> sent = new ArrayList<>();
  private final Deque<CompletableFuture<Reply>> out = new ArrayDeque<>();
  private final Deque<Runnable> timers = new ArrayDeque<>();
  private final CallGathering gathering =
      new CallGathering(
          (table, row, call) -> {
            CompletableFuture<Reply> reply = new CompletableFuture<>();
            sent.add((Call.Execute) call);
            out.add(reply);
            return reply;
          },
          timers::add);

  private CompletableFuture<Reply> send(String procedure, String... arguments) {
    List<Bytes> bytes = java.util.Arrays.stream(arguments).map(Bytes::of).toList();
    return gathering.send(
        TABLE, "region", new byte[0], new Call.Execute("t", procedure, Durability.SYNCED, bytes));
  }

  /** Each item is answered by its argument. */
  private void answer() {
    Call.Execute call = sent.get(sent.size() - out.size());
    out.remove()
        .complete(
            new Reply(
                7,
                3,
                true,
                call.arguments().stream().map(each -> new Item(Status.DONE, each)).toList()));
  }

  private static List<String> texts(CompletableFuture<Reply> reply) {
    return reply.join().items().stream().map(Item::text).toList();
  }

  @Test
  void nobodyWaitsForCompany() {
    send("p", "a");
    send("p", "b");

    assertThat(sent).hasSize(2);
    assertThat(gathering.waiting()).isZero();
  }

  @Test
  void whatComesWhileCallsAreOutSharesTheNextAndEachGetsItsOwnAnswers() {
    List<CompletableFuture<Reply>> first = List.of(send("p", "a"), send("p", "b"));
    CompletableFuture<Reply> c = send("p", "c", "d");
    CompletableFuture<Reply> e = send("p", "e");
    assertThat(sent).hasSize(2);

    answer();
    assertThat(sent).hasSize(3);
    assertThat(sent.get(2).arguments())
        .containsExactly(Bytes.of("c"), Bytes.of("d"), Bytes.of("e"));
    answer();
    answer();

    assertThat(first)
        .extracting(CallGatheringTest::texts)
        .containsExactly(List.of("a"), List.of("b"));
    assertThat(texts(c)).containsExactly("c", "d");
    assertThat(texts(e)).containsExactly("e");
    assertThat(e.join())
        .extracting(Reply::incarnation, Reply::opened, Reply::cold)
        .containsExactly(7L, 3L, true);
  }

  @Test
  void proceduresDoNotWaitForOthers() {
    send("p", "a");
    send("p", "b");
    send("q", "c");

    assertThat(sent).extracting(Call.Execute::procedure).containsExactly("p", "p", "q");
  }

  @Test
  void aCallThatFailsFailsForAllThatShareIt() {
    send("p", "a");
    send("p", "b");
    List<CompletableFuture<Reply>> shared = List.of(send("p", "c"), send("p", "d"));
    answer();
    answer();

    IOException lost = new IOException("lost");
    out.remove().completeExceptionally(lost);

    for (CompletableFuture<Reply> each : shared) {
      assertThatThrownBy(each::join).hasCause(lost);
    }
    assertThat(send("p", "e")).isNotDone();
    assertThat(sent.get(sent.size() - 1).arguments()).containsExactly(Bytes.of("e"));
  }

  @Test
  void nothingWaitsForEverBehindACallThatIsSlow() {
    send("p", "a");
    send("p", "b");
    CompletableFuture<Reply> c = send("p", "c");
    send("p", "d");

    timers.remove().run();

    assertThat(sent.get(2).arguments()).containsExactly(Bytes.of("c"), Bytes.of("d"));
    out.removeLast()
        .complete(
            new Reply(1, 1, false, List.of(Item.of(Status.DONE, "c"), Item.of(Status.DONE, "d"))));
    assertThat(texts(c)).containsExactly("c");
    // The slow ones still count: the next one waits again, and is watched anew.
    send("p", "e");
    assertThat(sent).hasSize(3);
    assertThat(timers).hasSize(1);
  }

  @Test
  void neitherDoesWhatHasNoRoomInTheCallThatGoesAllTheSame() {
    send("p", "a");
    send("p", "b");
    for (int i = 0; i < 3; i++) {
      send("p", IntStream.range(0, 60).mapToObj(n -> "" + n).toArray(String[]::new));
    }

    timers.remove().run();
    assertThat(gathering.waiting()).isEqualTo(1);
    timers.remove().run();

    assertThat(gathering.waiting()).isZero();
    assertThat(sent).hasSize(4);
  }

  @Test
  void aTimerOfWhatWentLongAgoSendsNothing() {
    send("p", "a");
    send("p", "b");
    send("p", "c");
    answer();
    send("p", "d");

    timers.remove().run();

    assertThat(sent).hasSize(3);
    assertThat(timers).hasSize(1);
  }

  @Test
  void manyItemsGoByThemselves() {
    send("p", "a");
    send("p", "b");

    send("p", IntStream.range(0, 100).mapToObj(i -> "" + i).toArray(String[]::new));

    assertThat(sent).hasSize(3);
  }
}
