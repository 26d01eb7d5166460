package io.braid.gateway.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.http.HttpRefusal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fault 14: what a settled request has not done it never does. */
class RequestLogTest {
  private static final String WHO = "tester";
  private static final String NAME = "request-1";
  private static final Bytes ANSWER = Bytes.of("{}");
  private static final RequestLog.NamedRequest REQUEST =
      new RequestLog.NamedRequest(WHO, NAME, Bytes.of("what it asks for"));

  @TempDir Path dir;

  private Optional<RequestLog.RecordedResult> find(Braid db, RequestLog requests) {
    try (Snapshot now = db.snapshot()) {
      return requests.find(now, WHO, NAME);
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aRequestThatIsUnderWayWhenItIsSettledDoesNotCommit(Protocol protocol) {
    try (Braid db = Braid.open(dir);
        RequestLog requests = new RequestLog(db, new SystemSeams(), Duration.ofHours(1))) {
      requests.ready(protocol);
      try (Transaction late = db.begin()) {
        assertThat(requests.find(late, WHO, NAME)).isEmpty();
        requests.note(late, protocol, REQUEST, ANSWER);
        assertThat(requests.settle(WHO, NAME)).isEmpty();
        assertThatThrownBy(late::commit).isInstanceOf(ConflictException.class);
      }
      assertThatThrownBy(() -> find(db, requests))
          .isInstanceOf(HttpRefusal.class)
          .hasMessageContaining("was settled");
      assertThat(requests.settle(WHO, NAME)).as("again").isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whatWasDoneBeforeItIsSettledIsTold(Protocol protocol) {
    try (Braid db = Braid.open(dir);
        RequestLog requests = new RequestLog(db, new SystemSeams(), Duration.ofHours(1))) {
      requests.ready(protocol);
      long commit =
          db.run(
              tx -> {
                requests.note(tx, protocol, REQUEST, ANSWER);
                return tx.commit();
              });
      assertThat(requests.settle(WHO, NAME))
          .map(RequestLog.RecordedResult::commit)
          .contains(commit);
      assertThat(find(db, requests)).map(RequestLog.RecordedResult::commit).contains(commit);
    }
  }

  /** The table for requests of Omid's protocol is made when the first of them comes. */
  @Test
  void aRequestThatIsTheFirstOfItsProtocolFindsThatItWasSettled() {
    try (Braid db = Braid.open(dir);
        RequestLog requests = new RequestLog(db, new SystemSeams(), Duration.ofHours(1))) {
      assertThat(requests.settle(WHO, NAME)).isEmpty();
      requests.ready(Protocol.OMID);
      assertThatThrownBy(() -> find(db, requests)).hasMessageContaining("was settled");
    }
  }

  /** Fault 73. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void somethingElseUnderTheSameNameIsRefused(Protocol protocol) {
    try (Braid db = Braid.open(dir);
        RequestLog requests = new RequestLog(db, new SystemSeams(), Duration.ofHours(1))) {
      requests.ready(protocol);
      db.run(
          tx -> {
            requests.note(tx, protocol, REQUEST, ANSWER);
            return tx.commit();
          });
      try (Snapshot now = db.snapshot()) {
        assertThat(requests.find(now, REQUEST)).isPresent();
        RequestLog.NamedRequest other =
            new RequestLog.NamedRequest(WHO, NAME, Bytes.of("something else"));
        assertThatThrownBy(() -> requests.find(now, other))
            .isInstanceOf(HttpRefusal.class)
            .hasMessageContaining("Another request was named request-1");
      }
    }
  }
}
