package io.braid.server.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Fault 58: no length of a request to commit is believed. */
class CommitMessageTest {
  /** A start timestamp, no tables, no cells. */
  private static final int EMPTY_SET = 14;

  private final CommitMessage message = new CommitMessage();

  /** Receives a message of so many write sets, all empty. */
  private void receive(int count, int sets) throws IOException {
    int length = 4 + sets * EMPTY_SET;
    ByteBuffer bytes = ByteBuffer.allocate(4 + length).putInt(length).putInt(count);
    message.receive(new DataInputStream(new ByteArrayInputStream(bytes.array())));
  }

  @Test
  void thereAreNoMoreWriteSetsThanAnybodyMeans() throws IOException {
    receive(CommitMessage.MOST_SETS, CommitMessage.MOST_SETS);
    assertThat(message.requested()).hasSize(CommitMessage.MOST_SETS);
    receive(CommitMessage.MOST_SETS + 1, CommitMessage.MOST_SETS + 1);
    assertThatThrownBy(message::requested).isInstanceOf(IOException.class);
    receive(-1, 0);
    assertThatThrownBy(message::requested).isInstanceOf(IOException.class);
  }

  /** Else each connection would keep as much as its longest request. */
  @Test
  void aLargeMessageIsNotKept() throws IOException {
    byte[] bytes = ByteBuffer.allocate(4 + 100_000).putInt(100_000).array();
    AtomicInteger taken = new AtomicInteger();
    for (int i = 1; i <= 3; i++) {
      message.receive(
          new DataInputStream(new ByteArrayInputStream(bytes)), more -> taken.addAndGet(more));
      assertThat(taken).hasValue(i * (100_000 - (16 << 10)));
      message.rest();
    }
  }

  /** Nothing of it is read. */
  @Test
  void aMessageThatIsTooLongIsRefusedByItsLength() throws IOException {
    for (int length : new int[] {-1, CommitMessage.MOST_BYTES + 1, Integer.MAX_VALUE}) {
      byte[] bytes = ByteBuffer.allocate(1000).putInt(length).array();
      ByteArrayInputStream from = new ByteArrayInputStream(bytes);
      assertThatThrownBy(() -> message.receive(new DataInputStream(from)))
          .isInstanceOf(IOException.class);
      assertThat(from.available()).isEqualTo(996);
    }
  }
}
