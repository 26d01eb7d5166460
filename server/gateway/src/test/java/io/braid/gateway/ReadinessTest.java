package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.CellStore;
import io.braid.core.store.ForwardingStore;
import io.braid.gateway.access.AuditLog;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 77: ready means that every way in is open and the database answers. */
class ReadinessTest {
  @TempDir Path dir;

  private static String asked(Readiness readiness) throws IOException {
    FakeCall call = new FakeCall("GET", URI.create("/readyz"), new byte[0]);
    readiness.answer(call);
    return call.status() + " " + call.answer();
  }

  @Test
  void aNodeIsReadyFromTheLastDoorThatOpensUntilItEnds() throws IOException {
    Readiness readiness;
    try (Braid db = Braid.open(dir)) {
      readiness = new Readiness(db, new AuditLog(new SystemSeams(), null));
      assertThat(asked(readiness)).startsWith("503").contains("The node is starting.");
      readiness.opened();
      assertThat(asked(readiness)).startsWith("200");
    }
    assertThat(asked(readiness)).startsWith("503").contains("The store does not answer.");
    readiness.drain();
    assertThat(asked(readiness)).startsWith("503").contains("The node is ending.");
  }

  @Test
  void aStoreThatHasGivenUpWritingIsNotReady() throws IOException {
    AtomicReference<Optional<String>> why = new AtomicReference<>(Optional.empty());
    CellStore store =
        new ForwardingStore(new MemoryStore()) {
          @Override
          public Optional<String> refusesWrites() {
            return why.get();
          }
        };
    try (Braid db = Braid.over(store, BraidConfig.defaults())) {
      Readiness readiness = new Readiness(db, new AuditLog(new SystemSeams(), null));
      readiness.opened();
      assertThat(asked(readiness)).startsWith("200");
      why.set(Optional.of("A write ended in the middle."));
      assertThat(asked(readiness)).startsWith("503").contains("The store takes no writes.");
    }
  }

  @Test
  void aServerOpensAllItsDoorsAndIsReady() throws IOException {
    try (TestNode node = TestNode.start(dir, "server.redis", "127.0.0.1:0")) {
      assertThat(node.node().grpc()).isPresent();
      assertThat(node.node().redis()).isPresent();
      assertThat(node.get("/readyz").status()).isEqualTo(200);
    }
  }
}
