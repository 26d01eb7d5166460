package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.gateway.TestNode.Answer;
import io.braid.gateway.access.Identities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads that stand with a remainder: what is told of them, and who may decide what. */
class JobDecisionsTest {
  @TempDir Path dir;
  private TestNode root;
  private TestNode loader;
  private TestNode reader;
  private TestNode stranger;

  private static String line(String name, String grants) {
    return name + " sha256:" + Identities.hash(name) + " " + grants;
  }

  @BeforeEach
  void start() throws IOException {
    Files.createDirectories(dir.resolve("inputs"));
    Path identities =
        Files.write(
            dir.resolve("identities"),
            List.of(
                line("root", "admin:*"),
                line("loader", "write:players"),
                line("reader", "read:players"),
                line("stranger", "write:others")));
    root =
        TestNode.start(
                dir,
                "server.inputs",
                dir.resolve("inputs").toString(),
                "server.jobs",
                dir.resolve("jobs").toString(),
                "server.identities",
                identities.toString(),
                "server.audit",
                dir.resolve("audit").toString())
            .as("root");
    loader = root.as("loader");
    reader = root.as("reader");
    stranger = root.as("stranger");
    assertThat(root.put("/v1/tables/players", "{'families':['chips']}").status()).isEqualTo(200);
    assertThat(root.put("/v1/tables/others", "{'families':['chips']}").status()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    root.close();
  }

  /** Of 500 records every hundredth is wrong. */
  private JsonNode load(String id, String options) throws Exception {
    Files.writeString(
        dir.resolve("inputs/people.csv"),
        IntStream.range(0, 500)
            .mapToObj(i -> "p" + i + "," + (i % 100 == 50 ? "many" : "" + i))
            .collect(Collectors.joining("\n", "id,n\n", "\n")));
    Answer begun =
        loader.put(
            "/v1/jobs/" + id,
            "{'table':'players','files':['people.csv'],'mapping':{'key':'id','columns':{'n':"
                + "{'column':'chips:n','type':'int64'}}},'options':"
                + options
                + "}");
    assertThat(begun.status()).as(begun.text()).isEqualTo(200);
    return stands(id);
  }

  /** How it stands when nobody works on it any more. */
  private JsonNode stands(String id) throws InterruptedException {
    for (int i = 0; i < 1000; i++) {
      JsonNode now = loader.get("/v1/jobs/" + id).json();
      if (!now.path("working").asBoolean()) {
        return now;
      }
      Thread.sleep(20);
    }
    throw new AssertionError("Job " + id + " does not end.");
  }

  private static List<String> may(JsonNode job) {
    List<String> may = new ArrayList<>();
    job.path("may").forEach(each -> may.add(each.asText()));
    return may;
  }

  private long rows() {
    JsonNode rows = loader.get("/v1/tables/players/rows?limit=1000").json().path("rows");
    return rows.size();
  }

  @Test
  void anAtomicLoadWithARemainderWaitsUntilSomebodyWhoMayCommitsIt() throws Exception {
    JsonNode stands = load("nightly", "{'atomic':true}");
    assertThat(stands.path("state").asText()).isEqualTo("remainder");
    assertThat(stands.path("atomic").asBoolean()).isTrue();
    assertThat(stands.path("waits").asBoolean()).isTrue();
    assertThat(may(stands)).containsExactly("retry", "commit", "cancel");
    assertThat(may(reader.get("/v1/jobs/nightly").json())).isEmpty();
    assertThat(may(reader.get("/v1/jobs").json().at("/jobs/0"))).isEmpty();
    assertThat(rows()).isZero();

    for (TestNode other : List.of(reader, stranger)) {
      for (String verb : List.of("commit", "retry", "resume")) {
        assertThat(other.post("/v1/jobs/nightly/" + verb, "").status())
            .isEqualTo(other == reader ? 403 : 404);
      }
      assertThat(other.ask("DELETE", "/v1/jobs/nightly", "").status())
          .isEqualTo(other == reader ? 403 : 404);
    }
    assertThat(stands("nightly").path("state").asText()).isEqualTo("remainder");
    assertThat(rows()).isZero();

    assertThat(loader.post("/v1/jobs/nightly/commit", "").status()).isEqualTo(200);
    JsonNode done = stands("nightly");
    assertThat(done.path("state").asText()).as(done.toString()).isEqualTo("done");
    assertThat(done.path("waits").asBoolean()).isFalse();
    assertThat(may(done)).isEmpty();
    assertThat(rows()).isEqualTo(495);
    assertThat(loader.post("/v1/jobs/nightly/commit", "").text()).contains("The job is done");

    assertThat(Files.readAllLines(dir.resolve("audit")))
        .filteredOn(noted -> noted.contains("/nightly/commit"))
        .satisfiesExactly(
            refused -> assertThat(refused).contains("\"reader\"", "write:players", "403"),
            refused -> assertThat(refused).contains("\"stranger\"", "read:players", "404"),
            taken -> assertThat(taken).contains("\"loader\"", "write:players", "\"status\":200"),
            late -> assertThat(late).contains("\"loader\"", "write:players", "\"status\":409"));
  }

  @Test
  void anAtomicLoadThatIsGivenUpLeavesNothing() throws Exception {
    load("nightly", "{'atomic':true}");
    JsonNode cancelled = loader.ask("DELETE", "/v1/jobs/nightly", "").json();
    assertThat(cancelled.path("state").asText()).isEqualTo("cancelled");
    assertThat(may(cancelled)).isEmpty();
    assertThat(rows()).isZero();
    assertThat(loader.post("/v1/jobs/nightly/commit", "").text()).contains("was cancelled");
  }

  /** What a call refuses it refuses at once, not only in a log of the node. */
  @Test
  void whatCannotBeDoneIsRefusedWithTheReason() throws Exception {
    JsonNode stands = load("plain", "{}");
    assertThat(stands.path("atomic").asBoolean()).isFalse();
    assertThat(stands.path("waits").asBoolean()).isTrue();
    assertThat(may(stands)).containsExactly("retry", "cancel");
    assertThat(rows()).isEqualTo(495);
    Answer refused = loader.post("/v1/jobs/plain/commit", "");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().path("message").asText()).contains("plain is not atomic");

    // What a commit meets later stands in the state.
    load("strict", "{'atomic':true,'conflicts':'fail'}");
    String set =
        "{'operations':[{'op':'set','table':'players','row':'p7','columns':{'chips:n':'own'}}]}";
    assertThat(loader.post("/v1/transactions/run", set).status()).isEqualTo(200);
    assertThat(loader.post("/v1/jobs/strict/commit", "").status()).isEqualTo(200);
    JsonNode after = stands("strict");
    assertThat(after.path("state").asText()).isEqualTo("staged");
    assertThat(after.path("message").asText())
        .contains("The commit did not come to its end", "Others wrote", "players/p7");
    assertThat(may(after)).containsExactly("resume", "commit", "cancel");
    assertThat(loader.post("/v1/jobs/strict/retry", "").text()).contains("is being committed");
  }

  @Test
  void attemptsAndLogsAreToldToThoseWhoMayReadTheTable() throws Exception {
    load("nightly", "{}");
    assertThat(loader.post("/v1/jobs/nightly/retry", "").status()).isEqualTo(200);
    stands("nightly");
    for (TestNode allowed : List.of(loader, reader)) {
      JsonNode page = allowed.get("/v1/jobs/nightly/attempts?limit=1").json();
      assertThat(page.path("attempts")).hasSize(1);
      assertThat(page.path("next").asText()).isEqualTo("1.1");
      JsonNode older = allowed.get("/v1/jobs/nightly/attempts?after=1.1").json();
      assertThat(older.has("next")).isFalse();
      JsonNode first = older.at("/attempts/0");
      assertThat(first.path("end").asText()).isEqualTo("done");
      assertThat(first.at("/counts/rejected").asLong()).isEqualTo(5);
      assertThat(Instant.parse(first.path("ended").asText()))
          .isAfterOrEqualTo(Instant.parse(first.path("begun").asText()));

      String logs = "/v1/jobs/nightly/logs/";
      JsonNode log = allowed.get(logs + "detailed?round=0&limit=3").json();
      assertThat(log.path("entries")).hasSize(3);
      JsonNode entry = log.at("/entries/0");
      assertThat(entry.path("code").asText()).isEqualTo("WRONG_TYPE");
      assertThat(entry.path("permanent").asBoolean()).isTrue();
      assertThat(entry.path("detail").asText()).contains("many");
      JsonNode rest =
          allowed.get(logs + "detailed?round=0&limit=3&after=" + log.path("next").asText()).json();
      assertThat(rest.path("entries")).hasSize(2);
      assertThat(rest.has("next")).isFalse();
      assertThat(allowed.get(logs + "short-circuit").json().path("entries")).isEmpty();
      assertThat(allowed.get(logs + "unread?attempt=1").json().path("entries")).isEmpty();
      assertThat(allowed.get(logs + "detailed?after=detailed.jsonl@5").status()).isEqualTo(400);
      assertThat(allowed.get(logs + "detailed?round=7").status()).isEqualTo(400);
      assertThat(allowed.get(logs + "detailed?limit=1001").status()).isEqualTo(400);
      assertThat(allowed.get(logs + "retry").status()).isEqualTo(400);
    }
    for (String path :
        List.of("/attempts", "/logs/detailed", "/logs/short-circuit", "/logs/unread", "")) {
      assertThat(stranger.get("/v1/jobs/nightly" + path).status()).as(path).isEqualTo(404);
      assertThat(reader.get("/v1/jobs/nightly" + path).status()).as(path).isEqualTo(200);
      assertThat(reader.get("/v1/jobs/absent" + path).status()).as(path).isEqualTo(404);
    }
    assertThat(stranger.get("/v1/jobs").json().path("jobs")).isEmpty();
  }

  /** What was refused can be asked again, and leaves nothing. */
  @Test
  void aLoadThatFindsNoPlaceIsNotMade() throws Exception {
    Files.writeString(
        dir.resolve("inputs/slow.csv"),
        IntStream.range(0, 3000)
            .mapToObj(i -> "p" + i + "," + i)
            .collect(Collectors.joining("\n", "id,n\n", "\n")));
    String body = loadOf("'slow.csv'", ",'options':{'rate':'20/s','parallel':1,'batchRecords':4}");
    assertThat(loader.put("/v1/jobs/first", body).status()).isEqualTo(200);
    assertThat(loader.put("/v1/jobs/second", body).status()).isEqualTo(200);
    Answer refused = loader.put("/v1/jobs/third", body);
    assertThat(refused.status()).as(refused.text()).isEqualTo(429);
    assertThat(loader.get("/v1/jobs/third").status()).isEqualTo(404);
    assertThat(root.get("/v1/pins").text()).doesNotContain("load/third");
    assertThat(loader.ask("DELETE", "/v1/jobs/first", "").status()).isEqualTo(200);
    stands("first");
    Answer again = loader.put("/v1/jobs/third", body);
    assertThat(again.status()).as(again.text()).isEqualTo(200);
    assertThat(again.json().has("repeated")).isFalse();
    assertThat(again.json().path("working").asBoolean()).isTrue();
    for (String job : List.of("second", "third")) {
      assertThat(loader.ask("DELETE", "/v1/jobs/" + job, "").status()).isEqualTo(200);
      stands(job);
    }
  }

  /** As by a server that ended between the two. */
  @Test
  void aLoadThatWasMadeAndNeverBeganBeginsWhenItIsAskedForAgain() throws Exception {
    load("nightly", "{'atomic':true}");
    Path state = dir.resolve("jobs/nightly/state.json");
    String body = loadOf("'people.csv'", ",'options':{'atomic':true}");
    Files.writeString(state, Files.readString(state).replaceAll("REMAINDER", "MADE"));
    Answer again = loader.put("/v1/jobs/nightly", body);
    assertThat(again.status()).as(again.text()).isEqualTo(200);
    assertThat(again.json().path("repeated").asBoolean()).isTrue();
    assertThat(stands("nightly").path("state").asText()).isEqualTo("remainder");
  }

  /** What it has written went with the table. */
  @Test
  void aLoadOfATableThatWasMadeAnewIsNotDone() throws Exception {
    load("nightly", "{}");
    assertThat(root.ask("DELETE", "/v1/tables/players", "").status()).isEqualTo(200);
    assertThat(root.put("/v1/tables/players", "{'families':['chips']}").status()).isEqualTo(200);
    Answer again = loader.put("/v1/jobs/nightly", loadOf("'people.csv'", ",'options':{}"));
    assertThat(again.status()).as(again.text()).isEqualTo(409);
    assertThat(again.text()).contains("was created after load nightly began");
    Files.writeString(dir.resolve("jobs/nightly/state.json"), "{");
    load("other", "{}");
    assertThat(loader.get("/v1/jobs").text()).contains("\"other\"").doesNotContain("nightly");
  }

  private static String loadOf(String file, String rest) {
    return "{'table':'players','files':["
        + file
        + "],'mapping':{'key':'id','columns':{'n':{'column':'chips:n','type':'int64'}}}"
        + rest
        + "}";
  }

  @Test
  void whatALoadDoesNotUnderstandIsRefused() throws Exception {
    Files.writeString(dir.resolve("inputs/p.csv"), "id,n\np1,1\n");
    List<String> options =
        List.of(
            "[]",
            "'x'",
            "5",
            "false",
            "null",
            "{'atomic':'true'}",
            "{'atomic':1}",
            "{'atomic':null}",
            "{'parallel':1.9}",
            "{'parallel':'2'}",
            "{'parallel':0}",
            "{'retries':-1}",
            "{'workers':0}",
            "{'leastSuccess':'0.5'}",
            "{'rate':null}",
            "{'rate':5}",
            "{'snapshot':null}",
            "{'snapshot':{'algorithm':5}}",
            "{'unknown':1}");
    for (String each : options) {
      Answer refused = loader.put("/v1/jobs/odd", loadOf("'p.csv'", ",'options':" + each));
      assertThat(refused.status()).as(each + ": " + refused.text()).isEqualTo(400);
      assertThat(refused.text()).as(each).doesNotContain("because", "null\"");
    }
    for (String mapping :
        List.of(
            "",
            ",'mapping':null",
            ",'mapping':[]",
            ",'mapping':{'key':'id','columns':{'n':null}}")) {
      Answer refused =
          loader.put("/v1/jobs/odd", "{'table':'players','files':['p.csv']" + mapping + "}");
      assertThat(refused.status()).as(mapping + ": " + refused.text()).isEqualTo(400);
      assertThat(refused.text()).as(mapping).doesNotContain("because");
    }
    assertThat(loader.get("/v1/jobs/odd").status()).isEqualTo(404);
  }
}
