package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.Braid;
import io.braid.gateway.TestNode.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Key groups and loads over HTTP. */
class GroupsAndJobsTest {
  @TempDir Path dir;
  private TestNode node;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectories(dir.resolve("inputs"));
    node =
        TestNode.start(
            dir,
            "server.inputs",
            dir.resolve("inputs").toString(),
            "server.jobs",
            dir.resolve("jobs").toString());
    assertThat(node.put("/v1/tables/players", "{'families':['chips']}").status()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private static String member(String row) {
    return "{'table':'players','row':'" + row + "'}";
  }

  private static String op(String op, String row, String columns) {
    return "{'op':'" + op + "','table':'players','row':'" + row + "','columns':" + columns + "}";
  }

  private Answer run(String... operations) {
    return node.post(
        "/v1/groups/table-7/run", "{'operations':[" + String.join(",", operations) + "]}");
  }

  private Answer create(String name, String... rows) {
    return node.post(
        "/v1/groups", "{'name':'" + name + "','rows':[" + String.join(",", rows) + "]}");
  }

  @Test
  void aGroupOwnsItsRowsUntilItIsDeleted() {
    Answer created = create("table-7", member("alice"), member("bob"));
    assertThat(created.status()).as(created.text()).isEqualTo(200);
    assertThat(run(op("set", "alice", "{'chips:n':'5'}"), op("set", "bob", "{'chips:n':'7'}")))
        .satisfies(done -> assertThat(done.status()).as(done.text()).isEqualTo(200));

    Answer outside =
        node.post(
            "/v1/transactions/run", "{'operations':[" + op("set", "bob", "{'chips:n':'0'}") + "]}");
    assertThat(outside.status()).isEqualTo(423);
    Answer second = create("table-8", member("bob"), member("carol"));
    assertThat(second.status()).isEqualTo(409);
    assertThat(second.json().at("/not_joined/0/row").asText()).isEqualTo("bob");

    assertThat(run(op("expect", "bob", "{'chips:n':'8'}"), op("delete", "alice", "['chips:n']")))
        .satisfies(refused -> assertThat(refused.status()).isEqualTo(412));
    JsonNode read = run(op("get", "alice", "['chips:n']")).json();
    assertThat(read.at("/results/0/columns/chips:n").asText()).isEqualTo("5");
    assertThat(run(op("get", "carol", "['chips:n']")).status()).isEqualTo(400);
    assertThat(run(op("lock", "bob", "['chips:n']")).status()).isEqualTo(400);

    assertThat(node.get("/v1/groups").json().at("/groups/0/group").asText()).isEqualTo("table-7");
    assertThat(node.get("/v1/groups/table-7").json().path("rows")).hasSize(2);
    assertThat(node.ask("DELETE", "/v1/groups/table-7", "").status()).isEqualTo(200);
    assertThat(node.get("/v1/tables/players/rows/bob").text()).contains("\"chips:n\":\"7\"");
    assertThat(run(op("get", "bob", "['chips:n']")).error()).isEqualTo("no such group");
  }

  @Test
  void aGroupThatCannotBeTakenUpIsListedWithTheReason() throws IOException {
    assertThat(node.put("/v1/tables/lost", "{'families':['chips']}").status()).isEqualTo(200);
    create("table-7", member("alice"), "{'table':'lost','row':'bob'}");
    assertThat(node.get("/v1/groups").json().at("/groups/0").has("trouble")).isFalse();
    node.close();
    try (Braid db = Braid.open(dir.resolve("data"))) {
      db.store().dropTable("lost");
    }
    node = TestNode.start(dir);

    JsonNode listed = node.get("/v1/groups").json().at("/groups/0");
    assertThat(listed.path("group").asText()).isEqualTo("table-7");
    assertThat(listed.path("trouble").asText()).contains("no table lost");
  }

  private JsonNode ended(String job) throws InterruptedException {
    for (int i = 0; i < 500; i++) {
      JsonNode now = node.get("/v1/jobs/" + job).json();
      if (!now.path("working").asBoolean()) {
        return now;
      }
      Thread.sleep(20);
    }
    throw new AssertionError("Job " + job + " does not end.");
  }

  @Test
  void aLoadRunsInTheNodeAndIsMadeOnce() throws Exception {
    Files.writeString(
        dir.resolve("inputs/people.csv"),
        IntStream.range(0, 500)
            .mapToObj(i -> "p" + i + "," + (i == 250 ? "many" : "" + i))
            .collect(Collectors.joining("\n", "id,n\n", "\n")));
    String load =
        "{'table':'players','files':['people.csv'],'mapping':{'key':'id','columns':{'n':"
            + "{'column':'chips:n','type':'int64'}}},'options':{'conflicts':'load'}}";
    Answer begun = node.put("/v1/jobs/nightly", load);
    assertThat(begun.status()).as(begun.text()).isEqualTo(200);
    JsonNode end = ended("nightly");
    assertThat(end.path("state").asText()).isEqualTo("remainder");
    assertThat(end.at("/counts/written").asLong()).isEqualTo(499);
    assertThat(end.at("/failures/0/code").asText()).isEqualTo("WRONG_TYPE");
    assertThat(node.put("/v1/jobs/nightly", load).json().path("repeated").asBoolean()).isTrue();
    assertThat(node.get("/v1/jobs").json().path("jobs")).hasSize(1);

    assertThat(node.post("/v1/jobs/nightly/retry", "").status()).isEqualTo(200);
    assertThat(ended("nightly").at("/counts/balanced").asBoolean()).isTrue();
    assertThat(node.ask("DELETE", "/v1/jobs/nightly", "").json().path("state").asText())
        .isEqualTo("cancelled");
    assertThat(node.post("/v1/jobs/nightly/resume", "").status()).isEqualTo(409);
  }

  @Test
  void filesOutsideTheInputsAreNotRead() throws IOException {
    Files.writeString(dir.resolve("secret.csv"), "id,n\na,1\n");
    Files.createSymbolicLink(dir.resolve("inputs/link.csv"), dir.resolve("secret.csv"));
    for (String name : new String[] {"../secret.csv", "link.csv", "/etc/passwd", "absent.csv"}) {
      Answer refused =
          node.put(
              "/v1/jobs/x",
              "{'table':'players','files':['"
                  + name
                  + "'],'mapping':{'key':'id','family':'chips'}}");
      assertThat(refused.status()).as(name + refused.text()).isEqualTo(400);
    }
    assertThat(
            node.put(
                    "/v1/jobs/x",
                    "{'table':'players','files':['link.csv'],'mapping':{},'options':{'speed':9}}")
                .status())
        .isEqualTo(400);
    assertThat(node.get("/v1/jobs/x").status()).isEqualTo(404);
  }
}
