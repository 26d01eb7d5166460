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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs benchmarks one after another, each in a process of its own, and makes a page of it all. */
@Command(
    name = "all",
    mixinStandardHelpOptions = true,
    description = {
      "Runs every benchmark, each in a process of its own, and writes a page with their figures"
          + " beside those of the papers, and plots.",
      "What a benchmark printed is kept; --plots makes the page anew from it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid bench all --quick --out /tmp/results",
      "  braid bench all --only percolator,groups",
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

  @Option(names = "--quick", description = "A first look: minutes, not an hour.")
  boolean quick;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Benchmarks to run (default: all: ${COMPLETION-CANDIDATES}).")
  List<String> only = ALL;

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
    for (String name : only) {
      if (!ALL.contains(name)) {
        err.println("braid: there is no benchmark '" + name + "'. There are: " + ALL + ".");
        return 2;
      }
    }
    Files.createDirectories(out);
    List<String> failed = new ArrayList<>();
    if (!plotsOnly) {
      for (String name : only) {
        if (!run(name)) {
          failed.add(name);
        }
      }
    }
    Path page = new ResultsPage(out).write(ALL);
    err.println("braid: " + page);
    failed.forEach(name -> err.println("braid: " + name + " failed; its old figures stay."));
    return failed.isEmpty() ? 0 : 1;
  }

  /** Runs one; its lines replace those of an earlier run only if it came to its end. */
  private boolean run(String name) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    command.add("bench");
    command.add(name);
    if (quick) {
      command.add("--quick");
    }
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
