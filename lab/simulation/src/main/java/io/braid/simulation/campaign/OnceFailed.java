package io.braid.simulation.campaign;

import io.braid.simulation.SimulationOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of runs that failed once: a line each, with the command that replays it, then {@code #} and
 * what was wrong. Lines that begin with {@code #} are remarks.
 */
public final class OnceFailed {
  private OnceFailed() {}

  /**
   * The runs of a file.
   *
   * @throws IllegalArgumentException when a line is neither a run nor a remark; names the line
   * @throws IOException when the file cannot be read
   */
  public static List<SimulationOptions> read(Path file) throws IOException {
    List<SimulationOptions> runs = new ArrayList<>();
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    for (int i = 0; i < lines.size(); i++) {
      String command = lines.get(i).replaceFirst("#.*", "").strip();
      if (!command.isEmpty()) {
        try {
          runs.add(SimulationOptions.ofReplay(command));
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException(file + ", line " + (i + 1) + ": " + e.getMessage(), e);
        }
      }
    }
    return runs;
  }

  /** The line of a run. */
  public static String line(String replay, String what) {
    return replay.replaceFirst("^\\./braid ", "") + "  # " + what.lines().findFirst().orElse("");
  }
}
