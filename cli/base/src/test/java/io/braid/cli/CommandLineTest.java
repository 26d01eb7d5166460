package io.braid.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.cli.command.ExitCode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandLineTest {
  @TempDir Path dir;

  private record Run(int code, String out, String err) {}

  private Run braid(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(args);
    return new Run(code, out.toString(), err.toString());
  }

  private Run onData(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--data");
    all.add(dir.resolve("data").toString());
    return braid(all.toArray(String[]::new));
  }

  @Test
  void whatWasSetIsThereInTheNextRun() {
    assertThat(onData("table", "create", "accounts", "balance").code()).isEqualTo(ExitCode.DONE);
    assertThat(onData("set", "accounts", "bob", "balance:usd", "10").code())
        .isEqualTo(ExitCode.DONE);

    Run get = onData("get", "accounts", "bob", "--json");

    assertThat(get.code()).isEqualTo(ExitCode.DONE);
    assertThat(get.out().strip())
        .isEqualTo("{\"columns\":{\"balance:usd\":\"10\"},\"row\":\"bob\"}");
    assertThat(onData("scan", "accounts").out()).contains("bob  balance:usd = 10");
    assertThat(onData("table", "list").out()).contains("accounts").contains("balance");
  }

  @Test
  void aKeyThatIsTheNameOfAFileIsAKey() throws IOException {
    Path file = Files.writeString(dir.resolve("words"), "joe");
    onData("table", "create", "t", "f");

    assertThat(onData("set", "t", "@" + file, "f:q", "1").code()).isEqualTo(ExitCode.DONE);
    assertThat(onData("scan", "t").out()).contains("@" + file).doesNotContain("joe");
  }

  @Test
  void aPinKeepsThePastReadable() {
    onData("table", "create", "t", "f");
    onData("set", "t", "r", "f:q", "before");
    assertThat(onData("pin", "create", "p").code()).isEqualTo(ExitCode.DONE);
    onData("set", "t", "r", "f:q", "after");

    assertThat(onData("get", "t", "r", "--at", "p").out()).contains("before");
    assertThat(onData("get", "t", "r").out()).contains("after");
    assertThat(onData("pin", "drop", "p").code()).isEqualTo(ExitCode.DONE);
    assertThat(onData("pin", "drop", "p").code()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void aFileIsWrittenInOneTransactionHoweverLarge() throws IOException {
    Path config = Files.writeString(dir.resolve("small.conf"), "limits.transaction = 1 KiB\n");
    Path file = dir.resolve("rows.jsonl");
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      rows.append("{\"row\":\"k" + i + "\",\"columns\":{\"f:q\":\"" + "v".repeat(200) + "\"}}\n");
    }
    onData("table", "create", "t", "f");
    Files.writeString(file, rows + "{\"row\":\"x\"}\n");
    Run wrong = onData("txn", "apply", "t", file.toString(), "--config", config.toString());
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("line 51");
    assertThat(onData("scan", "t").out()).isEmpty();
    Files.writeString(file, rows + "{\"row\":\"k7\",\"columns\":{\"f:q\":null}}\n");
    assertThat(onData("txn", "apply", "t", file.toString(), "--config", config.toString()).out())
        .contains("Committed 51 rows");
    assertThat(onData("scan", "t").out().lines()).hasSize(49);
    assertThat(onData("txn", "apply", "t", "nowhere").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void whatIsNoTextIsRefusedBeforeAnythingIsWritten() throws IOException {
    Path file = dir.resolve("rows.jsonl");
    onData("table", "create", "t", "f");
    byte[] row = "{\"row\":\"k\",\"columns\":{\"f:q\":\"v?\"}}\n".getBytes(UTF_8);
    row[row.length - 6] = (byte) 0xFF;
    Files.write(file, row);

    Run wrong = onData("txn", "apply", "t", file.toString());

    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("not UTF-8").contains("base64");
    assertThat(onData("scan", "t").out()).isEmpty();
  }

  @Test
  void garbageGoesAndWhatIsPinnedStays() {
    onData("table", "create", "t", "f");
    onData("set", "t", "r", "f:q", "first");
    onData("pin", "create", "p");
    onData("set", "t", "r", "f:q", "second");
    onData("set", "t", "r", "f:q", "third");

    assertThat(onData("gc", "--keep", "0s", "--dry-run").out()).contains("Could remove 0 cells");
    assertThat(onData("gc", "--keep", "0s", "--json").out()).contains("\"held_by\":\"pin p\"");
    assertThat(onData("get", "t", "r", "--at", "p").out()).contains("first");
    String timestamp = onData("pin", "list").out().split("  ")[1];
    onData("pin", "drop", "p");
    assertThat(onData("gc", "--keep", "0s", "--table", "t", "--rate", "100/s").out())
        .contains("2 superseded values");
    Run past = onData("get", "t", "r", "--at", timestamp);
    assertThat(past.code()).isEqualTo(ExitCode.FAILED);
    assertThat(past.err()).contains("too old");
    assertThat(onData("get", "t", "r").out()).contains("third");
    assertThat(onData("gc", "--table", "none").code()).isEqualTo(ExitCode.FAILED);
    assertThat(onData("gc", "--rate", "fast").code()).isEqualTo(ExitCode.USAGE);
    assertThat(onData("gc", "--keep", "1 d").code()).isEqualTo(ExitCode.DONE);
  }

  @Test
  void aRowIsShownAsItIsInTheStore() {
    onData("table", "create", "t", "f");
    onData("set", "t", "r", "f:q", "v");
    onData("delete", "t", "r", "f:q");

    Run raw = onData("raw", "t", "r");

    assertThat(raw.code()).isEqualTo(ExitCode.DONE);
    assertThat(raw.out().lines().toList())
        .hasSize(2)
        .satisfiesExactly(
            line -> assertThat(line).matches("f:q  \\d+: delete @ \\d+"),
            line -> assertThat(line).matches("f:q  \\d+: put v @ \\d+"));
  }

  @Test
  void nothingIsKnownOfATransactionThatNeverWas() {
    onData("table", "create", "t", "f");
    Run show = onData("txn", "show", "256", "--json");
    assertThat(show.code()).isEqualTo(ExitCode.UNKNOWN);
    assertThat(show.out()).contains("\"state\":\"unknown");
    assertThat(onData("txn", "show", "nonsense").code()).isEqualTo(ExitCode.USAGE);
    assertThat(onData("txn", "show", "99999999999999999999").err()).contains("too large");
  }

  @Test
  void whatOnlyLooksMakesNoDatabase() {
    for (List<String> verb :
        List.of(
            List.of("gc", "--dry-run"),
            List.of("gc"),
            List.of("observers", "list"),
            List.of("observers", "drop", "o"),
            List.of("txn", "show", "256"))) {
      Run run = onData(verb.toArray(String[]::new));
      assertThat(run.code()).as("%s", verb).isEqualTo(ExitCode.FAILED);
      assertThat(run.err()).contains("There is no database");
    }
  }

  @Test
  void deletedColumnsAreGone() {
    onData("table", "create", "t", "f");
    onData("set", "t", "r", "f:q", "v");
    onData("delete", "t", "r", "f:q");

    assertThat(onData("get", "t", "r").code()).isEqualTo(ExitCode.FAILED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "set t r f:q",
        "set t r fq v",
        "get t r --at yesterday",
        "outcome nonsense",
        "table create t bad:family",
        "table create ~braid f",
        "scan t --limit 0",
        "get t r --at 99999999999999999999",
        "no-such-verb",
        "scan t --limit many",
        "get t r --store paper"
      })
  void wrongUsageEndsWithTwoAndOneClearLine(String line) {
    onData("table", "create", "t", "f");

    Run run = onData(line.split(" "));

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).isNotBlank().doesNotContain("\tat ");
  }

  @Test
  void aFailureUnderJsonIsOneLineOfJsonWithTheWordOfTheServer() {
    onData("table", "create", "t", "f");

    Run unknown = onData("get", "nowhere", "r", "--json");
    assertThat(unknown.code()).isEqualTo(ExitCode.FAILED);
    assertThat(unknown.err().strip())
        .startsWith("{\"error\":\"no such table\",\"message\":\"")
        .doesNotContain("\n");
    assertThat(onData("pin", "drop", "p", "--json").err()).startsWith("{\"error\":\"no such pin\"");
    assertThat(onData("get", "t", "r", "--json").err()).startsWith("{\"error\":\"no such value\"");
    onData("pin", "create", "p");
    assertThat(onData("pin", "create", "p", "--json").err())
        .startsWith("{\"error\":\"pin exists\"");
    Run silent = braid("store", "versions", "s", "--to", "http://127.0.0.1:1", "--json");
    assertThat(silent.code()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(silent.err()).startsWith("{\"error\":\"unavailable\"");
    Run wrong = onData("scan", "t", "--limit", "many", "--json");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err().strip()).startsWith("{\"error\":\"bad request\",").doesNotContain("\n");
  }

  @Test
  void anUnknownTableIsRefusedByName() {
    onData("table", "create", "t", "f");

    Run run = onData("get", "nowhere", "r");

    assertThat(run.code()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("nowhere", "braid table create").doesNotContain("\tat ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get t r",
        "set t r f:q v",
        "delete t r f:q",
        "scan t",
        "raw t r",
        "table list",
        "table drop t",
        "pin list",
        "pin create p",
        "pin drop p",
        "query word"
      })
  void noVerbMakesADatabaseOnlyToFindItEmpty(String line) {
    Run run = onData(line.split(" "));

    assertThat(run.code()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains(dir.resolve("data").toString());
    assertThat(dir.resolve("data")).doesNotExist();
  }

  @Test
  void aDirectoryIsNeverPassedOver() {
    onData("table", "create", "t", "f");

    Run run = braid("table", "--data", dir.resolve("other").toString(), "drop", "t");

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(onData("table", "list").out()).contains("t  f");
  }

  @Test
  void aDatabaseThatIsOpenElsewhereIsUnavailable() {
    try (Braid open = Braid.open(dir.resolve("data"))) {
      open.ensureTable("t", "f");

      Run run = onData("get", "t", "r");

      assertThat(run.code()).isEqualTo(ExitCode.UNAVAILABLE);
      assertThat(run.err()).contains("pid " + ProcessHandle.current().pid());
    }
  }

  @Test
  void textIsShownAsTextAndWhatIsShownCanBeTyped() {
    onData("table", "create", "t", "f");
    onData("set", "t", "Z\u00fcrich", "f:gr\u00f6\u00dfe", "4\u20ac \\o/");
    onData("set", "t", "\\xFF\\x00a\\\\", "f:\\x80", "v");

    Run scan = onData("scan", "t");

    assertThat(scan.out().lines())
        .containsExactly(
            "Z\u00fcrich  f:gr\u00f6\u00dfe = 4\u20ac \\\\o/", "\\xFF\\x00a\\\\  f:\\x80 = v");
    assertThat(onData("get", "t", "\\xFF\\x00a\\\\", "f:\\x80").out()).endsWith(" = v\n");
    assertThat(onData("get", "t", "Z\u00fcrich", "--json").out().strip())
        .isEqualTo(
            "{\"columns\":{\"f:gr\u00f6\u00dfe\":\"4\u20ac \\\\o/\"},\"row\":\"Z\u00fcrich\"}");
    assertThat(onData("scan", "t", "--prefix", "\\xFF").out().lines()).hasSize(1);
  }

  @Test
  void valuesThatAreNoTextComeAsBase64() {
    try (Braid db = Braid.open(dir.resolve("data"))) {
      db.ensureTable("t", "f");
      Column<Bytes> column = Column.of("f", "q", Codecs.bytes());
      db.run(
          tx -> {
            tx.set(Row.of("t", "r"), column, Bytes.ofInts(0xFE, 0xFF));
            return 0;
          });
    }

    assertThat(onData("get", "t", "r", "--json").out()).contains("{\"base64\":\"/v8=\"}");
    assertThat(onData("get", "t", "r").out()).contains("f:q = \\xFE\\xFF");
  }

  @Test
  void aScanSaysThatThereIsMore() {
    onData("table", "create", "t", "f");
    for (String row : List.of("a", "b", "c")) {
      onData("set", "t", row, "f:q", "v");
    }

    Run some = onData("scan", "t", "--limit", "2");
    Run all = onData("scan", "t", "--limit", "3");

    assertThat(some.out().lines()).hasSize(2);
    assertThat(some.err()).contains("stopped after 2 rows");
    assertThat(all.out().lines()).hasSize(3);
    assertThat(all.err()).isEmpty();
  }

  @Test
  void timestampsInJsonAreTextSoThatNoReaderRoundsThem() {
    onData("table", "create", "t", "f");
    String set = onData("set", "t", "r", "f:q", "v", "--json").out();
    onData("set", "t", "r", "f:q", "w");
    String at = set.replaceAll("[^0-9]", "");

    assertThat(set.strip()).isEqualTo("{\"committed\":\"" + at + "\"}");
    assertThat(onData("get", "t", "r", "--at", at).out()).endsWith("= v\n");
  }

  @Test
  void aTableAnswersWithAllItsFamilies() {
    onData("table", "create", "t", "f");

    assertThat(onData("table", "create", "t", "g").out()).contains("families f, g");
  }

  @Test
  void aPinIsNeverMoved() {
    onData("table", "create", "t", "f");
    onData("pin", "create", "p");

    Run again = onData("pin", "create", "p");

    assertThat(again.code()).isEqualTo(ExitCode.FAILED);
    assertThat(again.err()).contains("drop it first");
  }

  @Test
  void theReasonOfARefusalIsNotBuriedUnderHelp() {
    for (String line : List.of("get t r", "table list")) {
      Run run = onData((line + " --frob").split(" "));

      assertThat(run.err().lines()).hasSizeLessThan(4).first().asString().contains("--frob");
    }
    assertThat(onData("get", "t").err().lines()).hasSizeLessThan(4);
    assertThat(braid().err()).as("without a verb all are listed").contains("outcome");
    assertThat(braid("pin").err()).contains("create", "drop", "list");
  }

  @Test
  void unknownSettingsAreRefused() throws IOException {
    Path config = Files.writeString(dir.resolve("c"), "lock.tll = 3 s\n");

    Run run = onData("table", "list", "--config", config.toString());

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("lock.tll").contains("lock.ttl");
  }

  @Test
  void everyVerbHasHelpWithExamples() {
    CommandLine braid = Main.commandLine();
    braid
        .getSubcommands()
        .forEach(
            (name, verb) -> {
              if (!name.equals("help") && !name.equals("generate-completion")) {
                assertThat(verb.getUsageMessage()).as(name).contains("Examples:");
                assertThat(braid(name, "--help").code()).as(name).isEqualTo(ExitCode.DONE);
              }
            });
  }

  @Test
  void helpShowsThatOfAVerbAndOfItsVerbs() {
    assertThat(braid("help", "get").out()).isEqualTo(braid("get", "--help").out());
    assertThat(braid("help", "job", "resume").out())
        .isEqualTo(braid("job", "resume", "--help").out())
        .contains("Goes on with a job");
    assertThat(braid("help").out()).isEqualTo(braid("--help").out());
    Run none = braid("help", "job", "frob");
    assertThat(none.code()).isEqualTo(ExitCode.USAGE);
    assertThat(none.err()).contains("no verb 'braid job frob'", "'braid job --help' lists them");
  }

  @Test
  void whatFindsNothingSaysSo() {
    onData("table", "create", "t", "f");
    assertThat(onData("scan", "t").err()).contains("table t has no such rows");
    assertThat(onData("pin", "list").err()).contains("no pins");
    assertThat(onData("observers", "dead-letters").err()).contains("there are no dead letters");
    assertThat(onData("job", "writes").err()).contains("has ended");
    onData("index", "create", "t", "f:q");
    assertThat(onData("index", "find", "t", "f:q", "v").err()).contains("no row of table t");
  }

  @Test
  void timestampsOfGarbageAndTransactionsAreTextInJsonToo() {
    onData("table", "create", "t", "f");
    assertThat(onData("gc", "--json").out()).containsPattern("\"watermark\":\"[0-9]+\"");
    assertThat(onData("txn", "show", "256", "--json").out()).contains("\"start\":\"256\"");
  }

  @Test
  void theCompletionScriptKnowsTheVerbs() {
    assertThat(braid("generate-completion").out()).contains("table").contains("outcome");
  }
}
