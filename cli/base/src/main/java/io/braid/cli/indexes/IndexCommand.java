package io.braid.cli.indexes;

import io.braid.Braid;
import io.braid.cli.command.Amount;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.examples.webindex.Counts;
import io.braid.examples.webindex.Crawl;
import io.braid.examples.webindex.CrawlReport;
import io.braid.examples.webindex.CrawlView;
import io.braid.examples.webindex.Loader.Loaded;
import io.braid.examples.webindex.WebIndex;
import io.braid.examples.webindex.demo.Demo;
import io.braid.examples.webindex.input.PageSource;
import io.braid.examples.webindex.input.PageUrl;
import io.braid.examples.webindex.input.Sources;
import io.braid.examples.webindex.input.Survey;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings pages into the web index. */
@Command(
    name = "index",
    description = {
      "Loads pages into the web index, or crawls them again, and waits until it is up to date.",
      "Also creates, lists, asks and drops indexes of tables.",
      "A page is a file or entry that ends in .html or .htm, or a WARC response of type text/html."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid index some/html/directory",
      "  braid index commons-lang3-3.17.0-javadoc.jar --prune",
      "  braid index crawl-1.warc.gz crawl-2.warc.gz --json",
      "  braid query some words",
      "  braid index create people f:city",
      "  braid index find people f:city Ulm"
    })
public final class IndexCommand extends IndexVerbs implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "PATH",
      description = "Directories, jars or zips, WARC files (gzip or not).")
  List<Path> paths = List.of();

  @Option(
      names = "--prune",
      description = "Remove pages of the same sites that have disappeared from the input.")
  boolean prune;

  @Option(
      names = "--base",
      paramLabel = "URL",
      description =
          "The address of the root of the only PATH (default: https://corpus/ for a directory,"
              + " https://NAME.corpus/ for a jar or zip, without its version).")
  @Nullable String base;

  @Mixin DatabaseOptions database = new DatabaseOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (paths.isEmpty()) {
      throw new UsageException("Name a PATH, or one of create, list, find and drop.");
    }
    if (base != null && paths.size() > 1) {
      throw new UsageException("--base goes with a single PATH.");
    }
    List<PageSource> sources = Sources.open(paths, root());
    try (Progress progress = new Progress(output.err())) {
      Survey survey = Survey.of(sources, pages -> progress.show("Reading", pages, "pages so far"));
      CrawlReport report = crawl(sources, survey, progress);
      progress.close();
      report.skipped().forEach(what -> output.err().println("braid: skipped: " + what));
      output.print(toObject(report), toText(report));
      return ExitCode.DONE;
    }
  }

  /** Opens the database only now, so that damaged input leaves it as it was. */
  private CrawlReport crawl(List<PageSource> sources, Survey survey, Progress progress) {
    try (Braid db = database.open()) {
      Demo.disown(db);
      return new Crawl(WebIndex.start(db), new View(progress)).run(sources, survey, prune);
    }
  }

  private Optional<PageUrl> root() {
    if (base == null) {
      return Optional.empty();
    }
    String directory = base.endsWith("/") ? base : base + "/";
    return Optional.of(
        PageUrl.parse(directory)
            .orElseThrow(() -> new UsageException("'" + base + "' is no http or https URL.")));
  }

  /**
   * The counts of the whole index under the names that the demo has for them, and what was done.
   */
  private static Map<String, Object> toObject(CrawlReport report) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("pages", report.counts().pages());
    object.put("distinct_exact", report.counts().distinctExact());
    object.put("distinct_text", report.counts().distinctText());
    object.put("links", report.counts().links());
    object.put("new", report.loaded(Loaded.NEW));
    object.put("changed", report.loaded(Loaded.CHANGED));
    object.put("unchanged", report.loaded(Loaded.UNCHANGED));
    object.put("removed", report.removed());
    object.put("repeated", report.repeated());
    object.put("skipped", report.skipped());
    return object;
  }

  private static String toText(CrawlReport report) {
    Counts counts = report.counts();
    return String.format(
            Locale.ROOT,
            "Crawled: %s new, %,d changed, %,d unchanged, %,d removed.%n",
            Amount.of(report.loaded(Loaded.NEW), "page"),
            report.loaded(Loaded.CHANGED),
            report.loaded(Loaded.UNCHANGED),
            report.removed())
        + String.format(
            Locale.ROOT,
            "The index: %s, %,d of them distinct byte for byte, %,d by text; %s.",
            Amount.of(counts.pages(), "page"),
            counts.distinctExact(),
            counts.distinctText(),
            Amount.of(counts.links(), "link"));
  }

  private static final class View implements CrawlView {
    private final Progress progress;
    private final IndexingProgress indexing;
    private int total;

    View(Progress progress) {
      this.progress = progress;
      this.indexing = new IndexingProgress(progress, "Indexing");
    }

    @Override
    public void surveyed(int pages, long bytes) {
      total = pages;
    }

    @Override
    public void loaded(int pages) {
      progress.show("Loading", pages, total, "pages");
    }

    @Override
    public void indexing(Counts counts, long waiting) {
      indexing.show(counts, waiting);
    }
  }
}
