package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.cli.command.ExitCode;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.testkit.hostile.NastyValues;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Nasty words for every parameter and option of every verb, which are found by reflection: they are
 * taken or refused, with an exit code that says so, and nothing else changes.
 */
class NastyWordsTest {
  private static final Column<String> A = Column.of("f", "a", Codecs.utf8());
  private static final Row KEPT = Row.of("kept", "r");
  private static final int PATIENCE_SECONDS = 60;

  /** How many words for each parameter; all, when it is many. */
  private static final int WORDS = Integer.getInteger("braid.nasty.words", 1);

  /** What runs until it is ended, or for minutes, once its words are taken. */
  private static final Set<String> LONG =
      Set.of(
          "demo",
          "workload",
          "server",
          "serve",
          "group-node",
          "worker",
          "top",
          "help",
          "generate-completion",
          "changes --follow",
          "index follow");

  /** What every verb that opens a database has: tried with one of them. */
  private static final Set<String> COMMON =
      Set.of("--data", "--store", "--config", "--jobs", "--cluster", "--token-file", "--node");

  private static final Set<String> WITH_COMMON = Set.of("get", "job list", "store versions");

  /** Signs that a failure was not thought of. */
  private static final Pattern DEFECT =
      Pattern.compile("Exception|\\tat |[Dd]efect|Error:|java\\.|io\\.braid\\.");

  private static final Map<String, String> SANE =
      Map.ofEntries(
          Map.entry("TABLE", "x"),
          Map.entry("FAMILY", "f"),
          Map.entry("COLUMN", "f:a"),
          Map.entry("COLUMN VALUE", "f:a v"),
          Map.entry("TABLE/KEY", "x/r"),
          Map.entry("TABLE/KEY COLUMN VALUE...", "x/r f:a v"),
          Map.entry("ROW", "r"),
          Map.entry("FILE", "DIR/input.csv"),
          Map.entry("FOLDER", "DIR/folder"),
          Map.entry("DIR", "DIR/folder"),
          Map.entry("WHERE", "DIR/folder"),
          Map.entry("NODE", "http://127.0.0.1:1"),
          Map.entry("ROLE:WHAT", "read:x"));

  @TempDir Path dir;
  private final List<String> wrong = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private int runs;

  @Test
  void everyParameterTakesOrRefusesWhateverIsTyped() throws Exception {
    Files.writeString(dir.resolve("input.csv"), "id,a\n1,2\n");
    try (Braid db = Braid.open(dir.resolve("data"))) {
      for (String table : List.of("x", "kept")) {
        db.ensureTable(table, "f");
        db.run(
            tx -> {
              tx.set(Row.of(table, "r"), A, "before");
              return true;
            });
      }
    }
    visit("", Main.commandLine());
    threads.shutdownNow();
    assertThat(wrong).as(runs + " runs").isEmpty();
    assertThat(runs).isGreaterThan(100);
    try (Braid db = Braid.open(dir.resolve("data"));
        Snapshot now = db.snapshot()) {
      assertThat(now.get(KEPT, A)).contains("before");
    }
  }

  private void visit(String path, CommandLine verb) throws Exception {
    if (LONG.contains(path)) {
      return;
    }
    if (verb.getSubcommands().isEmpty()) {
      List<ArgSpec> parameters = new ArrayList<>(verb.getCommandSpec().positionalParameters());
      parameters.addAll(verb.getCommandSpec().options());
      for (ArgSpec each : parameters) {
        if (isTried(path, each)) {
          attack(path, verb, each);
        }
      }
    }
    for (Map.Entry<String, CommandLine> each : verb.getSubcommands().entrySet()) {
      visit((path + " " + each.getKey()).strip(), each.getValue());
    }
  }

  private static boolean isTried(String path, ArgSpec parameter) {
    if (!(parameter instanceof OptionSpec option)) {
      return true;
    }
    return option.arity().max() > 0
        && (!COMMON.contains(option.longestName()) || WITH_COMMON.contains(path));
  }

  private void attack(String path, CommandLine verb, ArgSpec parameter) throws Exception {
    List<String> words = new ArrayList<>(NastyValues.texts());
    Collections.shuffle(words, new Random((path + parameter.paramLabel()).hashCode()));
    int tried = 0;
    for (String word : words) {
      if (tried < WORDS && (!isPlace(parameter) || isSafePlace(word))) {
        tried++;
        run(path, line(path, verb, parameter, word), parameter, word);
      }
    }
  }

  /** Whether it names a file or a folder. */
  private static boolean isPlace(ArgSpec parameter) {
    String label = parameter.paramLabel();
    return parameter.type() == Path.class
        || parameter.auxiliaryTypes()[0] == Path.class
        || Pattern.compile("FILE|DIR|FOLDER|WHERE|JAR").matcher(label).find();
  }

  /** Within the folder of the test. */
  private static boolean isSafePlace(String word) {
    return !word.isEmpty() && !word.contains("..") && !word.startsWith("/") && !word.equals(".");
  }

  private List<String> line(String path, CommandLine verb, ArgSpec attacked, String word) {
    List<String> line = new ArrayList<>(List.of(path.split(" ")));
    for (OptionSpec option : verb.getCommandSpec().options()) {
      if (option == attacked) {
        line.add(option.longestName() + "=" + (isPlace(attacked) ? dir + "/" + word : word));
      } else if (option.longestName().equals("--data")) {
        line.add("--data=" + dir.resolve("data"));
      } else if (option.longestName().equals("--jobs")) {
        line.add("--jobs=" + dir.resolve("jobs"));
      } else if (option.longestName().equals("--node") && !option.isMultiValue()) {
        line.add("--node=" + dir.resolve("node"));
      } else if (option.longestName().equals("--dir")) {
        line.add("--dir=" + dir.resolve("migrations"));
      } else if (option.required()) {
        line.add(option.longestName() + "=" + sane(option));
      }
    }
    line.add("--");
    for (PositionalParamSpec parameter : verb.getCommandSpec().positionalParameters()) {
      if (parameter == attacked) {
        line.add(isPlace(attacked) ? dir + "/" + word : word);
      } else if (parameter.required()) {
        line.addAll(List.of(sane(parameter).split(" ")));
      }
    }
    return line;
  }

  private String sane(ArgSpec parameter) {
    return SANE.getOrDefault(parameter.paramLabel(), "1").replace("DIR", dir.toString());
  }

  private void run(String path, List<String> line, ArgSpec parameter, String word)
      throws Exception {
    runs++;
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String what =
        path
            + ", "
            + parameter.paramLabel()
            + " = '"
            + word.substring(0, Math.min(40, word.length()))
            + "'";
    try {
      int code =
          threads
              .submit(
                  () ->
                      Main.commandLine()
                          .setOut(new PrintWriter(out))
                          .setErr(new PrintWriter(err))
                          .execute(line.toArray(String[]::new)))
              .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (code < 0 || code > ExitCode.UNAVAILABLE) {
        wrong.add(what + ": exit code " + code + ": " + err);
      } else if (code != ExitCode.DONE && err.toString().isBlank()) {
        wrong.add(what + ": exit code " + code + " without a word");
      } else if (DEFECT.matcher(err.toString().replace(word, "")).find()) {
        wrong.add(what + ": exit code " + code + ": " + err);
      }
    } catch (TimeoutException e) {
      wrong.add(what + ": no end");
    }
  }
}
