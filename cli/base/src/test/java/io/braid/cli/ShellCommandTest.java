package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements, as they come from a file or a pipe. */
class ShellCommandTest {
  @TempDir Path dir;

  private CommandRun script(List<String> options, String... lines) throws IOException {
    Path file = Files.write(dir.resolve("script"), List.of(lines));
    List<String> words =
        new ArrayList<>(
            List.of("shell", "--data", dir.resolve("data").toString(), "-f", file.toString()));
    words.addAll(options);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(words.toArray(String[]::new));
    return new CommandRun(code, out.toString(), err.toString());
  }

  @Test
  void aTransactionSeesItsWritesAndOthersSeeThemAfterTheCommit() throws IOException {
    CommandRun run =
        script(
            List.of("--json"),
            "# money moves",
            "create accounts balance",
            "set accounts 'bob jones' balance:usd 10",
            "pin before",
            "begin",
            "set accounts 'bob jones' balance:usd 3 balance:eur \"7 or so\"",
            "get accounts 'bob jones' balance:usd",
            "commit",
            "get accounts 'bob jones' as of before",
            "as of before",
            "scan accounts limit 5",
            "as of now",
            "scan accounts bob",
            "set accounts empty balance:none ''",
            "get accounts empty");

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(run.out().lines().filter(line -> line.contains("columns")).toList())
        .containsExactly(
            "{\"columns\":{\"balance:usd\":\"3\"},\"row\":\"bob jones\"}",
            "{\"columns\":{\"balance:usd\":\"10\"},\"row\":\"bob jones\"}",
            "{\"columns\":{\"balance:usd\":\"10\"},\"row\":\"bob jones\"}",
            "{\"columns\":{\"balance:eur\":\"7 or so\",\"balance:usd\":\"3\"},"
                + "\"row\":\"bob jones\"}",
            "{\"columns\":{\"balance:none\":\"\"},\"row\":\"empty\"}");
  }

  @Test
  void theFirstFailureEndsTheScriptAndRollsBack() throws IOException {
    CommandRun run =
        script(List.of(), "create t f", "begin", "set t r f:q 1", "get nowhere r", "commit");

    assertThat(run.code()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("line 4", "There is no table nowhere", "'tables' lists");
    CommandRun later = script(List.of(), "get t r");
    assertThat(later.code()).isEqualTo(ExitCode.FAILED);
    assertThat(later.err()).contains("has no such value");
  }

  @Test
  void whatIsNotCommittedIsSaidToBeRolledBack() throws IOException {
    CommandRun run = script(List.of(), "create t f", "begin", "set t r f:q 1");

    assertThat(run.code()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("was not committed");
  }

  @Test
  void wrongUseSaysWhatToWrite() throws IOException {
    assertThat(script(List.of(), "sett t r f:q 1").err()).contains("There is no verb 'sett'");
    assertThat(script(List.of(), "set t r f:q").err())
        .contains("Write: set TABLE ROW COLUMN VALUE");
    assertThat(script(List.of(), "get t 'r").err()).contains("a quote is not closed");
    assertThat(script(List.of(), "commit").err()).contains("No transaction is open");
    assertThat(script(List.of(), "get t r limit x").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void thePastIsNotWritten() throws IOException {
    CommandRun run = script(List.of(), "create t f", "pin p", "as of p", "set t r f:q 1");

    assertThat(run.code()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("The past cannot be changed");
  }

  @Test
  void explainTellsVersionsAndProtocol() throws IOException {
    CommandRun run =
        script(
            List.of(), "create t f", "set t r f:q 1", "set t r f:q 2 f:other x", "explain t r f:q");

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(run.err()).contains("written by percolator, in tablet 1 of 1");
    assertThat(run.out().lines().filter(line -> line.startsWith("f:q  version")).toList())
        .hasSize(2);
    assertThat(run.out()).contains("put 2", "put 1", "committed 20").doesNotContain("f:other  ");
  }
}
