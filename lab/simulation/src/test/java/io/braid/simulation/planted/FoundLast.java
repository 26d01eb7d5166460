package io.braid.simulation.planted;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Which seed of the simulator found a planted bug when that was last looked for from 1 on. */
final class FoundLast {
  private static final Path FILE = Path.of("src/test/resources/planted-bugs.seeds");

  private FoundLast() {}

  static OptionalLong seed(PlantedBug bug) {
    try {
      return Files.readAllLines(FILE).stream()
          .map(line -> line.split(" "))
          .filter(words -> words[0].equals(bug.name()))
          .mapToLong(words -> Long.parseLong(words[1]))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void write(Map<PlantedBug, Long> seeds) throws IOException {
    List<String> lines = new ArrayList<>();
    seeds.forEach((bug, seed) -> lines.add(bug.name() + " " + seed));
    Files.createDirectories(FILE.getParent());
    Files.write(FILE, lines, StandardCharsets.UTF_8);
  }
}
