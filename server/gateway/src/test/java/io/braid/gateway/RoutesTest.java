package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.gateway.TestNode.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What means nothing to a route is refused by all that there are, and never passed over. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutesTest {
  @TempDir static Path dir;
  private TestNode node;

  @BeforeAll
  void start() throws IOException {
    node = TestNode.start(dir);
    node.put("/v1/tables/accounts", "{'families':['balance']}");
  }

  @AfterAll
  void end() {
    node.close();
  }

  /** Fault 73. */
  @Test
  void everyRouteRefusesWhatItDoesNotTake() {
    Iterator<Map.Entry<String, JsonNode>> paths =
        node.get("/openapi.json").json().path("paths").fields();
    int routes = 0;
    while (paths.hasNext()) {
      Map.Entry<String, JsonNode> path = paths.next();
      String address = path.getKey().replaceAll("\\{[a-z]+}", "x");
      Iterator<Map.Entry<String, JsonNode>> methods = path.getValue().fields();
      while (methods.hasNext()) {
        Map.Entry<String, JsonNode> method = methods.next();
        String verb = method.getKey().toUpperCase(Locale.ROOT);
        boolean body = method.getValue().has("requestBody");
        Answer answer = node.ask(verb, address, "{'surely-nothing':1}");
        assertThat(answer.status()).as(verb + " " + path.getKey()).isEqualTo(400);
        assertThat(answer.text())
            .as(verb + " " + path.getKey())
            .contains(body ? "means nothing here" : "No body is taken here");
        assertThat(node.ask(verb, address + "?surely-nothing=1", body ? "{}" : "").text())
            .as(verb + " " + path.getKey())
            .contains("There is no parameter");
        routes++;
      }
    }
    assertThat(routes).isGreaterThan(40);
  }

  /** Fault 73. */
  @Test
  void whatARouteDoesNotTakeHasNoOtherEffect() {
    assertThat(node.put("/v1/pins/p", "{'at':'2024-01-01T00:00:00Z'}").status()).isEqualTo(400);
    assertThat(node.get("/v1/pins").json().path("pins")).isEmpty();
    assertThat(node.post("/v1/gc", "{'keep':'0s'}").status()).isEqualTo(400);
    assertThat(node.post("/v1/groups/g/run", "{'operations':[],'step':1}").text())
        .contains("'step' means nothing here");
    assertThat(node.post("/v1/groups", "{'rows':[],'best_effort':'yes'}").text())
        .contains("'best_effort' is no boolean");
    assertThat(
            node.post("/v1/fast/accounts/rows/r", "{'columns':{},'name':{'id':'1','upto':'2'}}")
                .text())
        .contains("'name.upto' means nothing here");
  }

  private static String set(String row, String value) {
    return "{'op':'set','table':'accounts','row':'%s','columns':{'balance:usd':'%s'}}"
        .formatted(row, value);
  }

  private Answer run(String name, String operations) {
    return node.post(
        "/v1/transactions/run", "{'request':'" + name + "','operations':[" + operations + "]}");
  }

  private String begin() {
    return node.post("/v1/transactions", "{}").json().path("transaction").asText();
  }

  /** Fault 73. */
  @Test
  void aNameBelongsToOneRequest() {
    assertThat(run("44444444-aaaa", set("ann", "1")).status()).isEqualTo(200);
    Answer other = run("44444444-aaaa", set("ann", "2"));
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.error()).isEqualTo("name taken");
    assertThat(run("44444444-aaaa", set("ann", "1")).json().path("repeated").asBoolean()).isTrue();

    String first = begin();
    String second = begin();
    String both = "{'request':'55555555-aaaa','operations':[" + set("eve", "1") + "]}";
    assertThat(node.post("/v1/transactions/" + first + "/commit", both).status()).isEqualTo(200);
    assertThat(node.post("/v1/transactions/" + second + "/commit", both).error())
        .isEqualTo("name taken");
    assertThat(node.post("/v1/transactions/" + first + "/commit", both).status()).isEqualTo(200);
    assertThat(run("55555555-aaaa", set("eve", "1")).error()).isEqualTo("name taken");
  }

  /** Fault 73: a request that comes when its client has gone on writes nothing. */
  @Test
  void aStepThatComesLateIsRefused() {
    String path = "/v1/transactions/" + begin();
    String one = "{'step':1,'operations':[" + set("joe", "old") + "]}";
    assertThat(node.post(path + "/operations", one).status()).isEqualTo(200);
    assertThat(node.post(path + "/operations", one).status()).isEqualTo(200);
    assertThat(
            node.post(path + "/operations", "{'step':2,'operations':[" + set("joe", "new") + "]}")
                .status())
        .isEqualTo(200);
    assertThat(node.post(path + "/operations", one).error()).isEqualTo("late");
    node.post(path + "/commit", "{}");
    assertThat(node.get("/v1/tables/accounts/rows/joe").text()).contains("new");
  }
}
