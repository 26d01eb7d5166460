package io.braid.cli.demo;

import io.braid.Braid;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Program;
import io.braid.cli.command.Terminal;
import io.braid.cli.command.UsageException;
import io.braid.cli.indexes.HitText;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.demo.Demo;
import io.braid.examples.webindex.demo.DemoInput;
import io.braid.examples.webindex.demo.DemoReport;
import io.braid.examples.webindex.demo.MavenJars;
import io.braid.examples.webindex.demo.MavenJars.FetchException;
import io.braid.examples.webindex.demo.MavenJars.Jar;
import io.braid.examples.webindex.page.Words;
import io.braid.examples.webindex.search.Hit;
import io.braid.examples.webindex.search.Search;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what Braid is for. */
@Command(
    name = "demo",
    description = {
      "Turns real web pages into an index that stays fresh while they change.",
      "Fetches the javadoc of two releases of a library through Maven on first use. A run that was"
          + " interrupted goes on where it was.",
      "With --store hbase, and no cluster configured, it starts one on this machine ('braid"
          + " dev-cluster')."
    },
    mixinStandardHelpOptions = true,
    subcommands = {GameDemoCommand.class, LoadDemoCommand.class},
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid demo",
      "  braid demo --once --json",
      "  braid demo --store hbase --kill",
      "  braid demo game",
      "  braid demo load",
      "  braid demo --first lib-1.0-javadoc.jar --second lib-1.1-javadoc.jar --data demo-data"
    })
public final class DemoCommand implements Callable<Integer> {
  private static final Jar FIRST = javadoc("org.apache.commons", "commons-lang3", "3.14.0");
  private static final Jar SECOND = javadoc("org.apache.commons", "commons-lang3", "3.17.0");
  private static final Jar OTHER = javadoc("com.google.guava", "guava", "33.2.1-jre");
  private static final int HITS = 3;

  @Option(
      names = "--first",
      paramLabel = "PATH",
      description = "The site to begin with: a directory, a jar or zip; instead of fetching one.")
  @Nullable Path first;

  @Option(names = "--second", paramLabel = "PATH", description = "The same site, later.")
  @Nullable Path second;

  @Option(
      names = "--with",
      paramLabel = "PATH",
      description = "More pages for the first crawl; may be repeated.")
  List<Path> others = List.of();

  @Option(
      names = "--corpus",
      paramLabel = "DIR",
      description = "Where fetched jars are kept (default: ${DEFAULT-VALUE}).")
  Path corpus = Path.of(".braid", "corpus");

  @Option(
      names = "--query",
      paramLabel = "WORDS",
      description = "A query to answer at the end; may be repeated.")
  List<String> queries = List.of("immutable list builder", "random string", "check null argument");

  @Option(names = "--once", description = "Exit at the end instead of asking for queries.")
  boolean once;

  @Option(
      names = "--kill",
      description =
          "With --store hbase: share the first crawl with workers in processes of their own, and"
              + " kill (SIGKILL) one of them, and a region server, in the middle of it.")
  boolean kill;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if ((first == null) != (second == null)) {
      throw new UsageException("--first and --second go together: the same site, twice.");
    }
    if (kill && !database.isOwnCluster()) {
      throw new UsageException(
          "--kill is for --store hbase on a cluster of 'braid dev-cluster', and no other.");
    }
    DemoInput input;
    try {
      input = input();
    } catch (FetchException e) {
      output.err().println("braid: " + e.getMessage());
      return ExitCode.UNAVAILABLE;
    }
    if (database.isOwnCluster()) {
      OwnCluster.find().start(database.data, kill ? 2 : 1, this::remark);
    }
    return kill ? runAmongDeaths(input) : run(input);
  }

  private void remark(String line) {
    output.err().println("braid: " + line);
    output.err().flush();
  }

  private int runAmongDeaths(DemoInput input) throws IOException {
    try (Braid db = database.open();
        DemoScreen screen = new DemoScreen(output);
        DemoDeaths deaths =
            new DemoDeaths(screen, OwnCluster.find(), database.data, Program.of(spec).main())) {
      int code = show(db, screen, Demo.run(db, input, queries, deaths), deaths.died());
      return deaths.complete() ? code : ExitCode.FAILED;
    }
  }

  private int run(DemoInput input) throws IOException {
    try (Braid db = database.open();
        DemoScreen screen = new DemoScreen(output)) {
      return show(db, screen, Demo.run(db, input, queries, screen), List.of());
    }
  }

  private int show(Braid db, DemoScreen screen, DemoReport report, List<String> died)
      throws IOException {
    DemoServing serving = new DemoServing(screen);
    serving.run(db, Words.of(queries.get(0)).get(0));
    screen.summary(report, database.data, database.isOwnCluster());
    if (output.json()) {
      Map<String, Object> numbers = new LinkedHashMap<>(report.toObject());
      numbers.put("serving", serving.numbers());
      if (kill) {
        numbers.put("killed", died);
      }
      output.print(numbers, "");
    } else if (!once) {
      Terminal.console().ifPresent(console -> answerQueries(db, console));
    }
    return report.equal() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private DemoInput input() {
    if (first != null && second != null) {
      return DemoInput.open(first, second, others);
    }
    MavenJars jars = new MavenJars(corpus);
    for (Jar jar : List.of(FIRST, SECOND, OTHER)) {
      if (!jars.has(jar)) {
        output.err().println("braid: fetching " + jar + " through Maven ...");
        output.err().flush();
        jars.get(jar);
      }
    }
    List<Path> more = others.isEmpty() ? List.of(jars.get(OTHER)) : others;
    return DemoInput.open(jars.get(FIRST), jars.get(SECOND), more);
  }

  private void answerQueries(Braid db, Console console) {
    for (String query = console.readLine("%nquery> ");
        query != null && !query.isBlank();
        query = console.readLine("%nquery> ")) {
      try (Snapshot now = db.snapshot()) {
        List<Hit> hits = Search.run(now, query, HITS);
        output.out().print(HitText.toText(hits));
        output.out().flush();
      } catch (IllegalArgumentException e) {
        output.out().println(e.getMessage());
      }
    }
  }

  private static Jar javadoc(String group, String artifact, String version) {
    return new Jar(group, artifact, version, "javadoc");
  }
}
