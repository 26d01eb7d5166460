package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
  void anUnknownTableIsRefusedByName() {
    Run run = onData("get", "nowhere", "r");

    assertThat(run.code()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("nowhere").doesNotContain("\tat ");
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
  void theCompletionScriptKnowsTheVerbs() {
    assertThat(braid("generate-completion").out()).contains("table").contains("outcome");
  }
}
