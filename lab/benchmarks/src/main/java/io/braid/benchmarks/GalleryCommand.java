package io.braid.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs benchmarks one after another, each in its own process, and makes a page of the results. */
@Command(
    name = "all",
    mixinStandardHelpOptions = true,
    description = {
      "Runs every benchmark, each in a process of its own, and writes a page with their figures"
          + " beside those of the papers, and plots.",
      "What a benchmark printed is kept; --plots makes the page anew from it.",
      "Those of --with start a real HBase of their own, which takes 4 GB of memory."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid bench all --quick --out /tmp/results",
      "  braid bench all --only percolator,groups",
      "  braid bench all --quick --with hbase,groups-hbase",
      "  braid bench all --plots"
    })
final class GalleryCommand implements Callable<Integer> {
  private static final List<String> ALL =
      List.of(
          "percolator",
          "brokerage",
          "observers",
          "clustering",
          "savings",
          "omid",
          "groups",
          "batch",
          "serving",
          "scaling");

  /** The words that run the benchmarks on a real HBase, each of which is in its own module. */
  private static final Map<String, List<String>> ON_HBASE =
      new TreeMap<>(
          Map.of("hbase", List.of("hbase"), "groups-hbase", List.of("groups", "--store", "hbase")));

  @Option(names = "--quick", description = "A first look: minutes, not an hour.")
  boolean quick;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Benchmarks to run (default: all but those of --with).")
  List<String> only = ALL;

  @Option(
      names = "--with",
      split = ",",
      paramLabel = "NAME",
      description = "Those on a real HBase, too: hbase, groups-hbase.")
  List<String> with = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the page goes (default: ${DEFAULT-VALUE}).")
  Path out = Path.of("docs", "results");

  @Option(names = "--plots", description = "Run nothing: make the page from what is there.")
  boolean plotsOnly;

  private final PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> known = new ArrayList<>(ALL);
    known.addAll(ON_HBASE.keySet());
    List<String> names = new ArrayList<>(only);
    names.addAll(with);
    for (String name : names) {
      if (!known.contains(name)) {
        err.println("braid: there is no benchmark '" + name + "'. There are: " + known + ".");
        return 2;
      }
    }
    String launcher = System.getenv("BRAID_LAUNCHER");
    if (launcher == null && !plotsOnly && names.stream().anyMatch(ON_HBASE::containsKey)) {
      err.println("braid: those on HBase are run by './braid bench all' only.");
      return 2;
    }
    Files.createDirectories(out);
    List<String> failed = new ArrayList<>();
    if (!plotsOnly) {
      for (String name : names) {
        if (!run(name, command(name, launcher))) {
          failed.add(name);
        }
      }
    }
    Path page = new ResultsPage(out).write(known);
    err.println("braid: " + page);
    failed.forEach(name -> err.println("braid: " + name + " failed; its old figures stay."));
    return failed.isEmpty() ? 0 : 1;
  }

  static boolean onHBase(String name) {
    return ON_HBASE.containsKey(name);
  }

  /** Returns the words after {@code ./braid bench} that run one benchmark alone. */
  static String words(String name) {
    return String.join(" ", ON_HBASE.getOrDefault(name, List.of(name)));
  }

  private List<String> command(String name, @Nullable String launcher) {
    List<String> command = new ArrayList<>();
    if (ON_HBASE.containsKey(name)) {
      command.add(Objects.requireNonNull(launcher));
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("-XX:+UseSerialGC");
      command.add("-cp");
      command.add(System.getProperty("java.class.path"));
      command.add(Main.class.getName());
    }
    command.add("bench");
    command.addAll(ON_HBASE.getOrDefault(name, List.of(name)));
    if (quick) {
      command.add("--quick");
    }
    return command;
  }

  /**
   * Runs one benchmark. Its lines replace those of an earlier run only if the benchmark completes.
   */
  private boolean run(String name, List<String> command) throws IOException, InterruptedException {
    err.println("braid: " + name + " ...");
    Instant begin = Instant.now();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines = new ArrayList<>();
    lines.add(Machine.line(quick));
    try (BufferedReader from =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = from.readLine(); line != null; line = from.readLine()) {
        lines.add(line);
        System.out.println(line);
      }
    }
    boolean done = process.waitFor() == 0;
    if (done) {
      Files.write(out.resolve(name + ".jsonl"), lines);
    }
    err.println(
        String.format(
            Locale.ROOT,
            "braid: %s %s after %d s",
            name,
            done ? "done" : "FAILED",
            Duration.between(begin, Instant.now()).toSeconds()));
    return done;
  }
}
