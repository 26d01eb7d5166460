package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.TabletUnavailableException;
import io.braid.gateway.access.Access;
import io.braid.gateway.access.AuditLog;
import io.braid.gateway.metrics.Telemetry;
import io.braid.serving.net.NodeService;
import io.braid.serving.node.NodeDirectory;
import io.braid.testkit.MemoryStore;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault 81: the caller whose answer was lost can ask for the outcome, and with its id alone. */
class LostCommitTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path dir;

  @Test
  void theIdOfALostCommitIsSignedAndAnswersWithTheOutcome() throws Exception {
    AtomicBoolean losing = new AtomicBoolean();
    ForwardingStore store =
        new ForwardingStore(new MemoryStore()) {
          @Override
          public <A, R> List<Outcome<R>> execute(
              Procedure<A, R> procedure, List<A> arguments, Durability durability) {
            List<Outcome<R>> done = super.execute(procedure, arguments, durability);
            if (losing.get()) {
              throw new TabletUnavailableException("The answer was lost.");
            }
            return done;
          }
        };
    SystemSeams seams = new SystemSeams();
    try (Braid db = Braid.over(store, BraidConfig.defaults());
        NodeDirectory directory = NodeDirectory.own(dir, seams);
        NodeService stores = new NodeService(seams, directory, NodeService.Options.defaults());
        Gateway gateway =
            new Gateway(
                new Gateway.Services(seams, db, stores, Telemetry.off()),
                FuzzTest.options(),
                new Access(null, false),
                new AuditLog(seams, null))) {
      db.ensureTable("t", "f");
      losing.set(true);
      FakeExchange lost =
          ask(
              gateway,
              "POST",
              "/v1/transactions/run",
              "{\"operations\":[{\"op\":\"set\",\"table\":\"t\",\"row\":\"r\","
                  + "\"columns\":{\"f:q\":\"v\"}}]}");
      losing.set(false);
      assertThat(lost.getResponseCode()).as(lost.answer()).isEqualTo(504);
      String id = JSON.readTree(lost.answer()).path("transaction").asText();
      FakeExchange outcome = ask(gateway, "GET", "/v1/outcomes/" + id, "");
      assertThat(outcome.getResponseCode()).as(outcome.answer()).isEqualTo(200);
      JsonNode answer = JSON.readTree(outcome.answer());
      assertThat(answer.path("outcome").asText()).isEqualTo("committed");
      FakeExchange forged =
          ask(gateway, "GET", "/v1/outcomes/" + id.substring(0, id.lastIndexOf('.')), "");
      assertThat(forged.getResponseCode()).as(forged.answer()).isEqualTo(403);
    }
  }

  private static FakeExchange ask(Gateway gateway, String method, String path, String body)
      throws Exception {
    FakeExchange call =
        new FakeExchange(method, URI.create(path), body.getBytes(StandardCharsets.UTF_8));
    gateway.handle(call);
    return call;
  }
}
