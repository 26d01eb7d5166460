package io.braid.groups.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client tells a node that works from one that stands still. */
class PendingAnswersTest {
  private static final int SILENCE_MILLIS = 1000;
  private static final Bytes QUESTION = Bytes.of("question");
  private static final Bytes ANSWER = Bytes.of("answer");

  private final ExecutorService client = Executors.newSingleThreadExecutor();
  private ServerSocket door;

  @BeforeEach
  void listen() throws Exception {
    door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void end() throws Exception {
    client.shutdownNow();
    door.close();
  }

  private Future<Bytes> ask() {
    return client.submit(
        () -> {
          String address = "127.0.0.1:" + door.getLocalPort();
          try (TcpLine line = new TcpLine(address, Trust.NONE, SILENCE_MILLIS)) {
            return line.ask(QUESTION);
          }
        });
  }

  /** Takes the question of a client that has come. */
  private static DataOutputStream hear(Socket socket) throws Exception {
    DataInputStream from = new DataInputStream(socket.getInputStream());
    assertThat(from.readLong()).isEqualTo(Wire.MAGIC);
    assertThat(Frames.read(from)).isEqualTo(QUESTION);
    return new DataOutputStream(socket.getOutputStream());
  }

  @Test
  void aNodeThatSaysNothingIsNotWaitedForLong() throws Exception {
    Future<Bytes> answer = ask();
    try (Socket socket = door.accept()) {
      hear(socket);

      assertThatThrownBy(answer::get).hasRootCauseInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void aNodeThatWorksOnTheAnswerIsWaitedFor() throws Exception {
    Future<Bytes> answer = ask();
    try (Socket socket = door.accept()) {
      StepClock seams = new StepClock();
      PendingAnswers underWay = new PendingAnswers(seams);
      PendingAnswers.Line line = underWay.line(hear(socket));
      line.begin();
      underWay.tell();
      for (int i = 0; i < 4; i++) {
        seams.sleep(Duration.ofMillis(SILENCE_MILLIS / 2));
        seams.nanos += PendingAnswers.EACH.toNanos();
        underWay.tell();
      }
      assertThat(answer.isDone()).isFalse();
      line.end(ANSWER);
      underWay.tell();

      assertThat(answer.get()).isEqualTo(ANSWER);
    }
  }

  /** A clock that goes as it is told. */
  private static final class StepClock extends SystemSeams {
    private volatile long nanos;

    @Override
    public long nanoTime() {
      return nanos;
    }
  }
}
