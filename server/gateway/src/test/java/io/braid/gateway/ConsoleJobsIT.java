package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.gateway.access.Identities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loads on the console, in a real browser. */
@Timeout(300)
class ConsoleJobsIT {
  /** As long as a name may be. */
  private static final String LONG_JOB =
      "nightly-import-of-all-players-from-the-western-regions-20261125x";

  private static final String LONG_TABLE = "players_" + "of_every_region_".repeat(7);

  @TempDir Path dir;
  private TestNode node;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectories(dir.resolve("inputs"));
    Path identities =
        Files.write(
            dir.resolve("identities"), List.of(line("root", "admin:*"), line("reader", "read:*")));
    node =
        TestNode.start(
                dir,
                "server.inputs",
                dir.resolve("inputs").toString(),
                "server.jobs",
                dir.resolve("jobs").toString(),
                "server.identities",
                identities.toString())
            .as("root");
    for (String table : List.of("players", LONG_TABLE)) {
      assertThat(node.put("/v1/tables/" + table, "{'families':['chips']}").status()).isEqualTo(200);
    }
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private static String line(String name, String grants) {
    return name + " sha256:" + Identities.hash(name) + " " + grants;
  }

  /** Of 500 records every hundredth is wrong. */
  private void load(String id, String table, String options) throws Exception {
    String file = id + ".csv";
    Files.writeString(
        dir.resolve("inputs").resolve(file),
        IntStream.range(0, 500)
            .mapToObj(i -> "p" + i + "," + (i % 100 == 50 ? "many" : "" + i))
            .collect(Collectors.joining("\n", "id,n\n", "\n")));
    TestNode.Answer begun =
        node.put(
            "/v1/jobs/" + id,
            "{'table':'"
                + table
                + "','files':['"
                + file
                + "'],'mapping':{'key':'id','columns':{'n':{'column':'chips:n','type':'int64'}}},"
                + "'options':"
                + options
                + "}");
    assertThat(begun.status()).as(begun.text()).isEqualTo(200);
    for (int i = 0; node.get("/v1/jobs/" + id).json().path("working").asBoolean(); i++) {
      assertThat(i).as("how often it was asked for").isLessThan(1000);
      Thread.sleep(20);
    }
  }

  private Browser as(String identity, String hash) throws Exception {
    Browser browser = Browser.start(dir.resolve(identity));
    browser.open(node.uri("/" + hash));
    browser.await("!document.getElementById('login').hidden");
    browser.evaluate("document.getElementById('token').value = '" + identity + "'");
    browser.evaluate("document.querySelector('#login button').click()");
    browser.await("document.getElementById('login').hidden");
    browser.await("!document.getElementById('jobs').hidden");
    return browser;
  }

  private int rows(String table) {
    return node.get("/v1/tables/" + table + "/rows?limit=1000").json().path("rows").size();
  }

  private static String shows(String id, String text) {
    return "document.getElementById('" + id + "').innerText.includes('" + text + "')";
  }

  @Test
  void anAtomicLoadIsCommittedByWhoeverMayAfterAQuestionThatSaysWhatIsSeenThen() throws Exception {
    load("nightly", "players", "{'atomic':true}");
    try (Browser reader = as("reader", "#jobs/nightly")) {
      reader.await(shows("job-decide", "To decide takes the role write on players."));
      assertThat(reader.evaluate("document.querySelectorAll('#jobs button').length").asInt())
          .isZero();
    }
    try (Browser browser = as("root", "#jobs/nightly")) {
      browser.await(shows("job-decide", "Nobody sees any of the load before it is committed."));
      browser.ask("Commit");
      assertThat(browser.question())
          .contains(
              "495 records become visible in players at once",
              "without the 5 records that were not written (5 rejected, 0 left)");
      browser.keep("jobs-commit-asked");
      browser.say("no");
      assertThat(rows("players")).isZero();
      browser.ask("Abort");
      assertThat(browser.question()).contains("nobody will have seen any of them");
      browser.say("no");
      browser.click("Commit");
      browser.await(shows("job-facts", "committed at"));
      browser.await(
          "[...document.querySelectorAll('#jobs button')].every(b => b.innerText === 'Next')");
      assertThat(rows("players")).isEqualTo(495);
      browser.keep("jobs-committed");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void aCommitThatIsRefusedIsToldInWords() throws Exception {
    load("late", "players", "{'atomic':true}");
    load("strict", "players", "{'atomic':true,'conflicts':'fail'}");
    try (Browser browser = as("root", "#jobs/late")) {
      browser.await(shows("job-decide", "Nobody sees any"));
      // What the page shows is not what holds any more.
      browser.press("p");
      assertThat(node.ask("DELETE", "/v1/jobs/late", "").status()).isEqualTo(200);
      browser.ask("Commit");
      assertThat(browser.question()).contains("Commit late?");
      browser.say("yes");
      browser.await(shows("refused", "The job was cancelled: make another one."));
      browser.keep("jobs-refused");
      browser.press("p");

      node.post(
          "/v1/transactions/run",
          "{'operations':[{'op':'set','table':'players','row':'p7','columns':{'chips:n':'o'}}]}");
      browser.evaluate("location.hash = 'jobs/strict'");
      browser.await(shows("job-name", "strict"));
      browser.await("document.getElementById('refused').hidden");
      browser.await(shows("job-actions", "Commit"));
      browser.evaluate("document.querySelector('#job-actions button:nth-child(2)').click()");
      assertThat(browser.question()).contains("Commit strict?");
      browser.say("yes");
      browser.await(shows("job-facts", "The commit did not come to its end: Others wrote"));
      browser.await(shows("job-actions", "Resume commit"));
      assertThat(rows("players")).isEqualTo(1);
      browser.keep("jobs-commit-refused");
      assertThat(browser.errors()).isEmpty();
    }
  }

  /** As many attempts, and as much in a log, as somebody has never waited for. */
  private void makeLong() throws IOException {
    Path round = dir.resolve("jobs").resolve(LONG_JOB).resolve("round-0");
    for (int n = 2; n <= 45; n++) {
      Path attempt = Files.createDirectory(round.resolve("attempt-" + n));
      String note = Files.readString(round.resolve("attempt-1/attempt.json"));
      Files.writeString(
          attempt.resolve("attempt.json"),
          note.replace("DONE", "INCOMPLETE")
              .replace(
                  "\"why\" : \"\"",
                  "\"why\" : \"7 of 9 tasks are not done; 3 ended early, the first for: in 60 s"
                      + " 12 of 100 records succeeded, the last failed as UNAVAILABLE\""));
      Files.writeString(
          attempt.resolve("short-circuit.jsonl"),
          "{\"task\":3,\"file\":\"/in/people.csv\",\"from\":0,\"to\":9,\"read\":100,\"why\":\"12 of"
              + " 100 succeeded\"}\n");
      Files.writeString(
          attempt.resolve("unread.jsonl"),
          "{\"task\":4,\"file\":\"/in/people.csv\",\"from\":9,\"to\":99,\"at\":17,\"tries\":3,"
              + "\"why\":\"it ends within a block\",\"books\":{\"read\":1,\"written\":1}}\n");
    }
    String entry =
        "{\"task\":1,\"file\":\"/data/"
            + "a-long-folder/".repeat(8)
            + "people.csv\",\"offset\":%d,\"code\":\"WRONG_TYPE\",\"permanent\":true,\"attempts\":0,"
            + "\"detail\":\"<img src=x onerror=alert(1)> \\u202egnp \\u0007 entry %d\"}%n";
    String log =
        IntStream.range(0, 120)
            .mapToObj(i -> String.format(entry, 1000 + i, i))
            .collect(Collectors.joining());
    Files.writeString(round.resolve("detailed.jsonl"), log);
    Files.writeString(round.resolve("attempt-2/detailed.jsonl"), log.replace("entry", "seen"));
  }

  @Test
  void attemptsAndLogsAreShownAPageAtATimeWhateverStandsInThem() throws Exception {
    load("short", "players", "{}");
    load("whole", "players", "{'atomic':true}");
    load(LONG_JOB, LONG_TABLE, "{}");
    makeLong();
    try (Browser browser = as("root", "#jobs/" + LONG_JOB)) {
      browser.await(shows("attempt-list", "12 of 100"));
      assertThat(browser.text("attempt-pages")).contains("Next", "page 1");
      assertThat(browser.evaluate("document.querySelectorAll('#attempt-list tbody tr').length"))
          .hasToString("20");
      browser.await(shows("log-list", "entry 49"));
      assertThat(browser.text("log-list"))
          .doesNotContain("entry 50")
          .contains("<img src=x onerror=alert(1)> \\u{202e}gnp \\u{7} entry 0");
      assertThat(browser.evaluate("document.querySelectorAll('img').length").asInt()).isZero();
      for (String scheme : List.of("light", "dark")) {
        browser.prefer(scheme);
        browser.size(1280, 900);
        browser.keep("jobs-" + scheme + "-wide");
        browser.size(1280, 3200);
        browser.keep("jobs-" + scheme + "-whole");
        browser.size(400, 900);
        browser.keep("jobs-" + scheme + "-narrow");
        browser.size(400, 3600);
        browser.keep("jobs-" + scheme + "-narrow-whole");
        // Wide tables scroll by themselves, and not the page.
        assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
            .isLessThanOrEqualTo(400);
      }
      browser.evaluate("window.scrollTo(0, 0)");
      browser.keep("jobs-list-narrow");
      browser.size(1280, 900);
      browser.evaluate("window.scrollTo(0, 0)");
      browser.keep("jobs-list-wide");
      // The next page is that of the log that is looked at.
      browser.evaluate("location.hash = 'jobs/" + LONG_JOB + "/detailed/0/2'");
      browser.await(shows("log-list", "seen 49"));
      browser.evaluate("document.querySelector('#log-pages button').click()");
      browser.await(shows("log-list", "seen 99"));
      browser.evaluate("location.hash = 'jobs/" + LONG_JOB + "'");
      browser.await(shows("log-list", "entry 49"));
      String next = "document.querySelector('#log-pages button:last-of-type')";
      browser.evaluate(next + ".focus()");
      browser.press("Enter");
      browser.await(shows("log-list", "entry 99"));
      // Who goes by keys has not lost the place.
      assertThat(browser.evaluate("document.activeElement.innerText").asText()).isEqualTo("Next");
      browser.press("Enter");
      browser.await(shows("log-list", "entry 119"));
      assertThat(browser.text("log-pages")).contains("Back", "page 3").doesNotContain("Next");
      browser.evaluate("document.querySelector('#log-pages button').click()");
      browser.await(shows("log-pages", "page 2"));

      browser.evaluate("document.querySelector('#attempt-pages button').click()");
      browser.await(shows("attempt-pages", "page 2"));
      browser.evaluate("document.querySelector('#attempt-pages button:nth-child(2)').click()");
      browser.await(shows("attempt-pages", "page 3"));
      assertThat(browser.text("attempt-list")).contains("\n0.5\t").doesNotContain("\n0.25\t");
      browser.evaluate(
          "[...document.querySelectorAll('#attempt-list a')]"
              + ".find(a => a.innerText === '1 ended early').click()");
      browser.await(shows("log-name", "Tasks ended early, attempt 0.5"));
      browser.await(shows("log-list", "12 of 100 succeeded"));
      browser.evaluate(
          "[...document.querySelectorAll('#attempt-list a')]"
              + ".find(a => a.innerText === '1 not read').click()");
      browser.await(shows("log-name", "Input not read, attempt 0.5"));
      browser.await(shows("log-list", "it ends within a block"));
      browser.keep("jobs-unread");
      browser.evaluate("location.hash = 'jobs/absent'");
      browser.await(shows("refused", "There is no job absent here"));
      assertThat(browser.errors()).isEmpty();
    }
  }

  /**
   * Who has gone on to another load is shown that one, whatever the outcome of the question before.
   */
  @Test
  void aLateAnswerAboutOneLoadDoesNotTouchAnother() throws Exception {
    load("slow", "players", "{'atomic':true}");
    load("quick", "players", "{'atomic':true}");
    try (Browser browser = as("root", "#jobs")) {
      browser.await(shows("job-list", "quick"));
      // What is asked first is answered last: the list once, then that there is no such load.
      browser.evaluate(
          "{ const real = window.fetch; let lists = 0; window.late = 0;"
              + " const later = (act) => new Promise((done) => setTimeout(done, 600))"
              + "   .then(act).finally(() => { window.late++; });"
              + " window.fetch = (what, how) =>"
              + "   String(what).endsWith('/v1/jobs/slow') ? later(() => real('/v1/jobs/gone', how))"
              + "   : String(what).endsWith('/v1/jobs') && window.hold && !lists++"
              + "   ? later(() => real(what, how)) : real(what, how); }");
      browser.press("p");
      browser.evaluate("location.hash = 'jobs/slow'");
      Thread.sleep(200);
      browser.evaluate("location.hash = 'jobs/quick'");
      browser.await(shows("job-name", "quick"));
      browser.await("window.late === 1");
      Thread.sleep(200);
      assertThat(browser.evaluate("document.getElementById('job').hidden").asBoolean()).isFalse();
      assertThat(browser.text("refused")).doesNotContain("There is no job");

      browser.evaluate("window.hold = true; location.hash = 'jobs/slow'");
      Thread.sleep(200);
      browser.evaluate("location.hash = 'jobs/quick'");
      browser.await("window.late === 2");
      Thread.sleep(200);
      browser.await("!document.getElementById('job').hidden");
      assertThat(browser.evaluate("looked.job").asText()).isEqualTo("quick");
      assertThat(browser.errors()).isEmpty();
    }
  }
}
