package io.braid.cli;

import io.braid.simulation.RecordedRun;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The runs of a campaign in a file, a line each. A torn last line counts as never written. */
final class CampaignLog implements AutoCloseable {
  private final Path file;
  private final Set<String> done = new HashSet<>();
  private final BufferedWriter out;

  private CampaignLog(Path file, Consumer<SimulationReport> earlier) throws IOException {
    this.file = file;
    String text = Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    List<String> lines = whole.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      SimulationReport report = read(lines.get(i), i + 1);
      done.add(report.options().replay());
      earlier.accept(report);
    }
    if (whole.length() < text.length()) {
      Files.writeString(file, whole, StandardCharsets.UTF_8);
    }
    out =
        Files.newBufferedWriter(
            file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /**
   * Opens a file, or begins it.
   *
   * @param earlier takes the runs that are in it
   */
  static CampaignLog open(Path file, Consumer<SimulationReport> earlier) {
    try {
      return new CampaignLog(file, earlier);
    } catch (IOException e) {
      throw new UncheckedIOException("The log of the campaign cannot be opened: " + file, e);
    }
  }

  private SimulationReport read(String line, int number) {
    try {
      return RecordedRun.read(line);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          file + ", line " + number + " is no run of a campaign; name another file with --log.");
    }
  }

  boolean has(SimulationOptions run) {
    return done.contains(run.replay());
  }

  void add(SimulationReport report) {
    try {
      out.write(RecordedRun.toLine(report));
      out.newLine();
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("The log of the campaign cannot be written: " + file, e);
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException("The log of the campaign cannot be closed: " + file, e);
    }
  }
}
