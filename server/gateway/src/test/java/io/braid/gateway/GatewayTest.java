package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.core.data.ColumnName;
import io.braid.gateway.TestNode.Answer;
import io.braid.indexes.Index;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database over HTTP, as a client without any library sees it. */
class GatewayTest {
  @TempDir Path dir;
  private TestNode node;

  @BeforeEach
  void start() throws IOException {
    node =
        TestNode.start(
            dir, "server.body", "64 KiB", "server.page", "10", "server.transactions-each", "3");
    assertThat(node.put("/v1/tables/accounts", "{'families':['balance']}").status()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private Answer run(String operations) {
    return node.post("/v1/transactions/run", "{'operations':[" + operations + "]}");
  }

  private static String set(String row, String value) {
    return "{'op':'set','table':'accounts','row':'"
        + row
        + "','columns':{'balance:usd':"
        + value
        + "}}";
  }

  private static String expect(String row, String value) {
    return set(row, value).replace("'set'", "'expect'");
  }

  private Answer usd(String row) {
    return node.get("/v1/tables/accounts/rows/" + row + "?column=balance:usd");
  }

  @Test
  void aScriptIsDoneAsAWholeOrNotAtAll() {
    Answer moved = run(set("bob", "'7'") + "," + set("joe", "'3'"));
    assertThat(moved.status()).as(moved.text()).isEqualTo(200);
    long commit = moved.json().path("commit").asLong();

    Answer refused = run(set("bob", "'0'") + "," + expect("joe", "'4'"));
    assertThat(refused.status()).isEqualTo(412);
    assertThat(refused.json().path("operation").asText()).isEqualTo("1");
    assertThat(usd("bob").json().path("columns").path("balance:usd").asText()).isEqualTo("7");

    assertThat(run(expect("joe", "'3'") + "," + set("bob", "null")).status()).isEqualTo(200);
    assertThat(usd("bob").status()).isEqualTo(404);
    Answer past = node.get("/v1/tables/accounts/rows/bob?at=" + commit);
    assertThat(past.json().path("columns").path("balance:usd").asText()).isEqualTo("7");
  }

  @Test
  void halfOfARequestIsNeverCommitted() {
    Answer begun = node.post("/v1/transactions", "{}");
    String path = "/v1/transactions/" + begun.json().path("transaction").asText();
    String both = set("bob", "'7'") + "," + set("joe", "'3'").replace("balance:", "nobody:");
    Answer refused = node.post(path + "/operations", "{'operations':[" + both + "],'step':1}");
    assertThat(refused.status()).as(refused.text()).isEqualTo(404);
    for (String commit :
        List.of("{}", "{'request':'44444444-half'}", "{'request':'44444444-half'}")) {
      Answer told = node.post(path + "/commit", commit);
      assertThat(told.status()).as(told.text()).isEqualTo(409);
      assertThat(told.text()).contains("half done");
    }
    assertThat(usd("bob").status()).isEqualTo(404);
    assertThat(node.ask("DELETE", path, "").status()).as("as it is told").isEqualTo(200);
    assertThat(usd("bob").status()).isEqualTo(404);
  }

  @Test
  void aValueThatAUniqueIndexHasIsNoDefectOfTheServer() {
    ColumnName column = ColumnName.of("balance", "iban");
    node.node().db().indexes().create("by-iban", "accounts", column, Index.Kind.UNIQUE, rows -> {});
    assertThat(run(set("bob", "'1'").replace("balance:usd", "balance:iban")).status())
        .isEqualTo(200);
    Answer twice = run(set("joe", "'1'").replace("balance:usd", "balance:iban"));
    assertThat(twice.status()).as(twice.text()).isEqualTo(409);
    assertThat(twice.error()).isEqualTo("duplicate value");
  }

  /** Fault 84. */
  @Test
  void aTimestampToComeIsRefusedAtEveryRouteThatTakesOne() {
    node.put("/v1/tables/counters", "{'families':['n']}");
    node.put("/v1/tables/others", "{'families':['n']}");
    String row = "/v1/fast/counters/rows/clicks";
    String write = "{'columns':{'n:total':'5'},";
    String wrong = "'9223372036854775000'}";
    for (Answer answer :
        List.of(
            node.post(row, write + "'after':" + wrong),
            node.post(row, write + "'name':{'id':'257','after':" + wrong + "}"),
            node.get("/v1/tables/counters/rows/clicks?at=922337203685477500"))) {
      assertThat(answer.status()).as(answer.text()).isEqualTo(400);
      assertThat(answer.text()).contains("not given out");
    }

    String other = "/v1/fast/others/rows/clicks";
    assertThat(node.post(other, "{'columns':{'n:total':'6'}}").status()).isEqualTo(200);
    assertThat(node.get("/v1/tables/others/rows/clicks").text()).contains("6");
  }

  @Test
  void theFastPathWritesOneRowInOneTripAndOnceUnderAName() {
    node.put("/v1/tables/counters", "{'families':['n'],'protocol':'omid'}");
    String row = "/v1/fast/counters/rows/clicks";
    Answer first = node.post(row, "{'columns':{'n:total':'1'}}");
    assertThat(first.status()).as(first.text()).isEqualTo(200);
    Answer read = node.get(row + "?column=n:total");
    assertThat(read.json().at("/columns/n:total").asText()).isEqualTo("1");
    String seen = read.json().path("version").asText();
    assertThat(seen).isEqualTo(first.json().path("version").asText());

    String ifSeen = "{'columns':{'n:total':'2'},'if_version':'" + seen + "'}";
    assertThat(node.post(row, ifSeen).status()).isEqualTo(200);
    assertThat(node.post(row, ifSeen).status()).isEqualTo(409);

    String name = node.get("/v1/fast/name").text().strip().replace('"', '\'');
    String named = "{'columns':{'n:total':'3'},'name':" + name + "}";
    String version = node.post(row, named).json().path("version").asText();
    assertThat(node.post(row, "{'columns':{'n:total':'4'}}").status()).isEqualTo(200);
    assertThat(node.post(row, named).json().path("version").asText()).isEqualTo(version);
    assertThat(node.get(row + "?column=n:total").json().at("/columns/n:total").asText())
        .isEqualTo("4");

    assertThat(node.get(row).status()).isEqualTo(400);
    assertThat(node.post(row, "{'columns':{'n:total':'5'},'after':'soon'}").status())
        .isEqualTo(400);
    assertThat(node.post(row, "{'columns':{'n:total':'5'},'name':{'id':'1'}}").text())
        .contains("/v1/fast/name");
    assertThat(node.post(row, "{'columns':{'n:total':'5'},'or_regular':'yes'}").status())
        .isEqualTo(400);
  }

  @Test
  void bytesThatAreNoTextComeBackAsTheyWere() {
    run(
        "{'op':'set','table':'accounts','row':'\\\\x00\\\\xFF','columns':{'balance:\\\\xFF':"
            + "{'base64':'AP8='}}}");
    Answer row = node.get("/v1/tables/accounts/rows/%5Cx00%5CxFF");
    assertThat(row.text()).contains("\"balance:\\\\xFF\":{\"base64\":\"AP8=\"}");
  }

  @Test
  void pagesAreOfOneSnapshot() {
    List<String> rows = new ArrayList<>();
    for (int i = 10; i < 35; i++) {
      rows.add(set("r" + i, "'" + i + "'"));
    }
    run(String.join(",", rows));
    List<String> seen = new ArrayList<>();
    String page = "/v1/tables/accounts/rows?prefix=r&limit=10";
    String more = "";
    do {
      JsonNode answer = node.get(page + more).json();
      answer.path("rows").forEach(row -> seen.add(row.path("row").asText()));
      run(set("r10", "null") + "," + set("r34", "null"));
      more =
          answer.has("next")
              ? "&after=" + answer.path("next").asText() + "&at=" + answer.path("at").asText()
              : "";
    } while (!more.isEmpty());
    assertThat(seen).hasSize(25).startsWith("r10").endsWith("r34").isSorted();
    assertThat(node.get(page + "&limit=11").status()).isEqualTo(400);
    assertThat(node.get("/v1/tables/accounts/rows?limit=11").status()).isEqualTo(400);
  }

  private String begin() {
    return node.post("/v1/transactions", "{'lease':'60 s'}").json().path("transaction").asText();
  }

  private Answer in(String transaction, String operations) {
    return node.post(
        "/v1/transactions/" + transaction + "/operations", "{'operations':[" + operations + "]}");
  }

  @Test
  void anOpenTransactionSeesItsWritesAndConflictsWithOthers() {
    String first = begin();
    String second = begin();
    // One that has read nothing may come after what commits meanwhile.
    in(second, "{'op':'get','table':'accounts','row':'bob'}");
    in(first, set("bob", "'1'"));
    in(second, set("bob", "'2'"));
    Answer own = in(first, "{'op':'get','table':'accounts','row':'bob'}");
    assertThat(own.json().path("results").path(0).path("columns").path("balance:usd").asText())
        .isEqualTo("1");
    assertThat(node.post("/v1/transactions/" + first + "/commit", "{}").status()).isEqualTo(200);
    Answer conflict = node.post("/v1/transactions/" + second + "/commit", "{}");
    assertThat(conflict.status()).isEqualTo(409);
    assertThat(conflict.json().path("conflicts").path(0).path("row").asText()).isEqualTo("bob");
    assertThat(in(second, set("bob", "'2'")).error()).isEqualTo("no such transaction");
    String third = begin();
    in(third, set("bob", "'3'"));
    assertThat(node.ask("DELETE", "/v1/transactions/" + third, "").status()).isEqualTo(200);
    assertThat(usd("bob").text()).contains("\"1\"");
  }

  @Test
  void openTransactionsAreBoundedAndTheirLeasesEnd() throws Exception {
    begin();
    begin();
    String short1 =
        node.post("/v1/transactions", "{'lease':'1500 ms'}").json().path("transaction").asText();
    assertThat(node.post("/v1/transactions", "{}").status()).isEqualTo(429);
    assertThat(node.post("/v1/transactions", "{'lease':'2 d'}").status()).isEqualTo(400);
    while (node.get("/v1/status").json().path("transactions").path("leases_expired").asInt() < 1) {
      Thread.sleep(20);
    }
    assertThat(in(short1, set("bob", "'1'")).status()).isEqualTo(404);
    assertThat(begin()).isNotEmpty();
  }

  /** Fault 14: what a request did can be asked for, and asking it again changes nothing more. */
  @Test
  void aNamedRequestIsDoneOnce() {
    String script =
        "{'request':'11111111-aaaa','operations':[" + set("bob", "'1'") + "," + GET_BOB + "]}";
    Answer first = node.post("/v1/transactions/run", script);
    run(set("bob", "'2'"));
    Answer again = node.post("/v1/transactions/run", script);
    assertThat(again.json().path("commit")).isEqualTo(first.json().path("commit"));
    assertThat(again.json().path("results")).isEqualTo(first.json().path("results"));
    assertThat(again.json().path("repeated").asBoolean()).isTrue();
    assertThat(usd("bob").text()).contains("\"2\"");
    assertThat(node.get("/v1/requests/11111111-aaaa").json().path("state").asText())
        .isEqualTo("committed");
    String open = begin();
    in(open, set("joe", "'5'"));
    String commit = "/v1/transactions/" + open + "/commit";
    Answer done = node.post(commit, "{'request':'22222222-aaaa'}");
    assertThat(node.post(commit, "{'request':'22222222-aaaa'}").json().path("commit"))
        .isEqualTo(done.json().path("commit"));
  }

  private static final String GET_BOB = "{'op':'get','table':'accounts','row':'bob'}";

  @Test
  void aSettledRequestIsNeverDone() {
    assertThat(node.get("/v1/requests/33333333-aaaa").json().path("state").asText())
        .isEqualTo("nothing yet");
    assertThat(node.ask("DELETE", "/v1/requests/33333333-aaaa", "").json().path("state").asText())
        .isEqualTo("never");
    Answer late =
        node.post(
            "/v1/transactions/run",
            "{'request':'33333333-aaaa','operations':[" + set("bob", "'9'") + "]}");
    assertThat(late.status()).isEqualTo(410);
    assertThat(usd("bob").status()).isEqualTo(404);
  }

  /** Fault 59: refused before anything is done, and the text says what to write. */
  @Test
  void whatIsWrongIsRefusedWithWhatToDo() {
    assertThat(run("{'op':'sett','table':'accounts','row':'r'}").text()).contains("'op' is one of");
    assertThat(run(set("r", "7")).text()).contains("Operation 0", "numbers are written as text");
    assertThat(run(set("", "'7'")).status()).isEqualTo(400);
    assertThat(run(set("r", "'7'").replace("accounts", "~braid")).status()).isEqualTo(400);
    assertThat(run(set("r", "'7'").replace("accounts", "braid.requests")).status()).isEqualTo(400);
    assertThat(run(set("r", "'7'").replace("accounts", "none")).error()).isEqualTo("no such table");
    assertThat(run(set("r", "'7','balance:usd':'8'")).text()).contains("Duplicate");
    assertThat(run(set("k".repeat(5000), "'7'")).status()).isEqualTo(400);
    assertThat(run(set("r", "'" + "x".repeat(70_000) + "'")).status()).isEqualTo(413);
    assertThat(node.post("/v1/transactions/run", "{'operation':[]}").text())
        .contains("'operation' means nothing here");
    assertThat(node.post("/v1/transactions/run", "[".repeat(3000)).status()).isEqualTo(400);
    assertThat(node.get("/v1/tables/accounts/rows/r?colum=x").text()).contains("no parameter");
    assertThat(node.put("/v1/tables/odd", "{'families':[null]}").text())
        .contains("'families.0' is no string");
    assertThat(node.get("/v1/tables/odd").status()).isEqualTo(404);
    assertThat(node.get("/v1/nothing").status()).isEqualTo(404);
    assertThat(node.ask("DELETE", "/v1/tables", "").status()).isEqualTo(405);
    assertThat(node.ask("POST", "/v1/transactions/run", "").status()).isEqualTo(415);
    assertThat(node.get("/v1/outcomes/7-x").status()).isEqualTo(400);
    assertThat(node.get("/v1/tables/accounts/rows?limit=1&limit=2").text()).contains("twice");
    assertThat(node.put("/v1/tables/odd", "{'families':'f'}").text())
        .contains("'families' is no array");
    for (String year : List.of("-999999999", "%2B999999999")) {
      Answer far = node.get("/v1/tables/accounts/rows/r?at=" + year + "-01-01T00:00:00Z");
      assertThat(far.status()).isEqualTo(400);
      assertThat(far.text()).contains("use 2020 to 2089");
    }
    assertThat(node.get("/v1/tables/accounts/rows?limit=1").json().path("rows")).isEmpty();
  }

  /** What stands for a byte that is no text would be the key of another row. */
  @Test
  void keysThatAreNoTextAreRefused() {
    assertThat(run(set("r\\uD800", "'7'")).text()).contains("half of a surrogate pair");
    assertThat(run(set("r", "'7\\uD800'")).text()).contains("half of a surrogate pair");
    for (String path : List.of("tables", "fast")) {
      Answer odd = node.get("/v1/" + path + "/accounts/rows/r%FF?column=balance:usd");
      assertThat(odd.status()).isEqualTo(400);
      assertThat(odd.text()).contains("UTF-8");
    }
    assertThat(node.get("/v1/tables/accounts/rows").json().path("rows")).isEmpty();
  }

  @Test
  void operatorsSeeHowItStands() throws IOException {
    run(set("bob", "'1'"));
    assertThat(node.get("/v1/tables").json().path("tables")).hasSize(1);
    assertThat(node.get("/v1/tables/accounts/rows/bob/explanation").text()).contains("put 1");
    assertThat(node.put("/v1/pins/p", "").status()).isEqualTo(200);
    assertThat(node.put("/v1/pins/p", "").status()).isEqualTo(409);
    assertThat(node.put("/v1/pins/p", "").error()).isEqualTo("pin exists");
    assertThat(node.put("/v1/pins/" + "p".repeat(257), "").status()).isEqualTo(400);
    assertThat(node.get("/v1/pins").text()).contains("\"p\"");
    assertThat(node.get("/v1/gc").status()).isEqualTo(200);
    assertThat(node.post("/v1/gc", "").json().path("complete").asBoolean()).isTrue();
    assertThat(node.get("/v1/observers").json().path("observers")).isEmpty();
    assertThat(node.put("/v1/backups/monday", "").json().path("rows").path("accounts").asInt())
        .isEqualTo(1);
    assertThat(node.put("/v1/backups/monday", "").status()).isEqualTo(409);
    assertThat(node.put("/v1/backups/tuesday?since=monday", "").status()).isEqualTo(200);
    assertThat(node.put("/v1/backups/wednesday?since=sunday", "").error()).isEqualTo("backup");
    assertThat(node.put("/v1/backups/..", "").status()).isEqualTo(400);
    assertThat(node.get("/v1/backups").text()).contains("[\"monday\",\"tuesday\"]");
    assertThat(node.get("/stores").text()).contains("\"stores\":[]");
    assertThat(node.get("/livez").status()).isEqualTo(200);
    assertThat(node.get("/readyz").status()).isEqualTo(200);
    assertThat(node.get("/metrics").text())
        .contains("braid_gateway_transactions_seconds_count{outcome=\"committed\"} 1")
        .contains("braid_commits_total{phase=\"one_phase\",protocol=\"percolator\"}");
    JsonNode coordinator = node.get("/v1/status").json().path("coordinator");
    assertThat(coordinator.path("here").asBoolean()).isTrue();
    assertThat(coordinator.path("processes").asInt()).isEqualTo(1);
    assertThat(
            node.get("/v1/status").json().path("gateway").path("committed").path("count").asInt())
        .isEqualTo(1);
    assertThat(Files.exists(dir.resolve("data"))).isTrue();
  }

  @Test
  void whoEndsFinishesOpenTransactionsFirst() throws Exception {
    String open = begin();
    in(open, set("bob", "'1'"));
    Thread ending = new Thread(() -> node.node().drain());
    ending.start();
    while (node.get("/readyz").status() == 200) {
      Thread.onSpinWait();
    }
    assertThat(node.post("/v1/transactions", "{}").status()).isEqualTo(503);
    assertThat(node.post("/v1/transactions/" + open + "/commit", "{}").status()).isEqualTo(200);
    ending.join(10_000);
    assertThat(ending.isAlive()).isFalse();
  }

  /** Fault 73: a network that sends a commit twice at once changes nothing of its answer. */
  @Test
  void aNamedCommitThatComesTwiceAtOnceIsAnsweredTwice() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    for (int i = 0; i < 100; i++) {
      String path = "/v1/transactions/" + begin() + "/commit";
      String operations = "[" + set("twice" + i, "'1'") + "]";
      String body = "{'request':'twice-at-once-" + i + "','operations':" + operations + "}";
      Future<Answer> first = threads.submit(() -> node.post(path, body));
      Future<Answer> second = threads.submit(() -> node.post(path, body));
      assertThat(first.get().status()).as(first.get().text()).isEqualTo(200);
      assertThat(second.get().status()).as(second.get().text()).isEqualTo(200);
      assertThat(first.get().json().path("commit")).isEqualTo(second.get().json().path("commit"));
    }
    threads.shutdown();
  }
}
