package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.groups.protocol.GroupId;
import io.braid.groups.protocol.Message;
import io.braid.testkit.runtime.ScarceThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class InboxTest {
  private static final Row ROW = Row.of("t", "r");

  private static NodeMessage join(long group) {
    return new NodeMessage(
        "n2", "n1", new Message.Join(new GroupId("n2", group, ROW), List.of(ROW)), "g" + group, 1);
  }

  private static NodeMessage delete(long group) {
    return new NodeMessage(
        "n2", "n1", new Message.Delete(new GroupId("n2", group, ROW), List.of(ROW)), "", 1);
  }

  private static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
    T taken = queue.poll(1, TimeUnit.MINUTES);
    assertThat(taken).as("dealt with within a minute").isNotNull();
    return taken;
  }

  /** A node whose store is far away has many groups' rows on their way. */
  @Test
  void noGroupWaitsForTheRowsOfOthers() throws InterruptedException {
    CountDownLatch answers = new CountDownLatch(1);
    BlockingQueue<Long> begun = new LinkedBlockingQueue<>();
    try (Inbox inbox =
        new Inbox(new SystemSeams(), 20, message -> await(begun, answers, message))) {
      List<Long> groups = new ArrayList<>();
      for (long group = 1; group <= 20; group++) {
        inbox.put(join(group));
        groups.add(take(begun));
      }
      assertThat(groups).doesNotHaveDuplicates().hasSize(20);
      answers.countDown();
    }
  }

  private static void await(
      BlockingQueue<Long> begun, CountDownLatch answers, NodeMessage message) {
    begun.add(message.message().group().number());
    try {
      answers.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Fault 58: messages that nobody has time for take no memory. */
  @Test
  void noMoreMessagesWaitThanMay() throws InterruptedException {
    CountDownLatch answers = new CountDownLatch(1);
    BlockingQueue<Long> begun = new LinkedBlockingQueue<>();
    Consumer<NodeMessage> reader = message -> await(begun, answers, message);
    try (Inbox inbox = new Inbox(new SystemSeams(), 1, 3, reader)) {
      inbox.put(join(1));
      take(begun);
      inbox.put(join(2));
      inbox.put(delete(2));
      assertThatThrownBy(() -> inbox.put(join(3))).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> inbox.put(new NodeMessage("n3", "n1", delete(2).message(), "", 5)))
          .isInstanceOf(IllegalArgumentException.class);
      answers.countDown();
      assertThat(List.of(take(begun), take(begun))).containsExactly(2L, 2L);
      while (begun.isEmpty()) {
        putIfThereIsRoom(inbox, join(4));
      }
      assertThat(take(begun)).isEqualTo(4L);
    }
  }

  private static void putIfThereIsRoom(Inbox inbox, NodeMessage message) {
    try {
      inbox.put(message);
    } catch (IllegalArgumentException e) {
      Thread.yield();
    }
  }

  /** Fault 62: when others have taken all threads of the system, until they have gone. */
  @Test
  void messagesForWhichThereIsNoThreadAreLostAndThoseAfterThemAreNot() throws InterruptedException {
    BlockingQueue<NodeMessage> done = new LinkedBlockingQueue<>();
    try (Inbox inbox = new Inbox(ScarceThreads.of(new SystemSeams(), 2), 1, done::add)) {
      inbox.put(join(1));
      inbox.put(join(1));
      inbox.put(join(1));
      assertThat(take(done)).isEqualTo(join(1));
      inbox.put(delete(2));
      assertThat(take(done)).isEqualTo(delete(2));
    }
  }

  /** Fault 62: as when there is no thread to answer by. */
  @Test
  void aMessageForWhichTheSystemHasNothingLeftDoesNotTakeItsReaderAlong()
      throws InterruptedException {
    AtomicInteger refusals = new AtomicInteger(1);
    BlockingQueue<NodeMessage> done = new LinkedBlockingQueue<>();
    Consumer<NodeMessage> reader =
        message -> {
          done.add(message);
          if (refusals.getAndDecrement() > 0) {
            throw new OutOfMemoryError("unable to create native thread");
          }
        };
    try (Inbox inbox = new Inbox(new SystemSeams(), 1, reader)) {
      inbox.put(join(1));
      assertThat(take(done)).isEqualTo(join(1));
      inbox.put(delete(1));
      assertThat(take(done)).isEqualTo(delete(1));
      inbox.put(join(2));
      assertThat(take(done)).isEqualTo(join(2));
    }
  }

  /** Else who asks again for the answer of a slow node makes it slower. */
  @Test
  void whatIsBeingDoneIsNotBegunOnceMore() throws InterruptedException {
    CountDownLatch answers = new CountDownLatch(1);
    BlockingQueue<NodeMessage> begun = new LinkedBlockingQueue<>();
    BlockingQueue<NodeMessage> done = new LinkedBlockingQueue<>();
    try (Inbox inbox =
        new Inbox(
            new SystemSeams(),
            2,
            message -> {
              begun.add(message);
              await(new LinkedBlockingQueue<>(), answers, message);
              done.add(message);
            })) {
      inbox.put(join(1));
      take(begun);
      inbox.put(join(1));
      inbox.put(delete(1));
      inbox.put(delete(1));
      inbox.put(join(1));
      answers.countDown();
      assertThat(List.of(take(done), take(done))).containsExactly(join(1), delete(1));
      // All that was put before this one of the same group is dealt with, or dropped.
      inbox.put(join(1));
      assertThat(take(done)).as("asked when nothing waits").isEqualTo(join(1));
      assertThat(done).isEmpty();
    }
  }
}
