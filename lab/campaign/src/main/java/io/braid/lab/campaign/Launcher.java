package io.braid.lab.campaign;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.command.UsageException;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.store.StoreException;
import io.braid.lab.campaign.RealPart.Role;
import io.braid.lab.campaign.RealPart.Step;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes drills of real processes by calling {@code braid}, as a person would. */
final class Launcher {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> COUNTS =
      Set.of("ok", "fail", "info", "kills", "faults", "client_restarts");
  private static final int TOLD = 6;

  private final Path braid;
  private final Path work;
  private final Duration patience;

  /**
   * @param braid the script that starts Braid
   * @param work where drills keep their files; those of failed drills stay
   * @param patience how long a command may take before it counts as stuck
   */
  Launcher(Path braid, Path work, Duration patience) {
    this.braid = braid;
    this.work = work;
    this.patience = patience;
  }

  /**
   * Makes a drill.
   *
   * @throws StoreException when it could not be made, which says nothing of what is tested
   */
  RealRun run(RealPart part, long seed) {
    long began = System.nanoTime();
    Path own = work.resolve(part + "-" + seed);
    Map<String, Long> counts = new LinkedHashMap<>();
    List<String> commands = new ArrayList<>();
    String failure = null;
    try {
      clear(part, seed, own);
      for (Step step : part.steps(seed, own)) {
        if (failure == null || step.role() == Role.LAST) {
          commands.add("./braid " + String.join(" ", step.command()));
          String wrong = call(step, own, counts);
          failure = failure == null ? wrong : failure;
        }
      }
      if (failure == null) {
        DurableFiles.deleteTree(own);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The files of a drill cannot be kept in " + own + ".", e);
    }
    double seconds = Math.round((System.nanoTime() - began) / 1e8) / 10.0;
    return new RealRun(part, seed, seconds, counts, commands, failure);
  }

  /** Ends the processes that a drill left running when it was cut off, and removes its files. */
  private void clear(RealPart part, long seed, Path own) throws IOException {
    if (Files.exists(own)) {
      for (Step step : part.steps(seed, own)) {
        if (step.role() == Role.LAST) {
          call(step, own, new LinkedHashMap<>());
        }
      }
    }
    DurableFiles.deleteTree(own);
    Files.createDirectories(own);
  }

  /** Returns what is wrong; null if nothing is. */
  private @Nullable String call(Step step, Path own, Map<String, Long> counts) throws IOException {
    Path out = own.resolve("out.txt");
    Path err = own.resolve("err.txt");
    List<String> command = new ArrayList<>(List.of(braid.toString()));
    command.addAll(step.command());
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    Thread endedToo = new Thread(() -> end(process), "end-child");
    Runtime.getRuntime().addShutdownHook(endedToo);
    boolean ended;
    try {
      ended = process.waitFor(patience.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The campaign was interrupted.", e);
    } finally {
      end(process);
      forget(endedToo);
    }
    count(lines(out), counts);
    if (ended && (process.exitValue() == 0 || step.role() == Role.LAST)) {
      return null;
    }
    String what = ended ? "exit code " + process.exitValue() : "it did not end within " + patience;
    String said = "braid " + step.command().get(0) + ": " + what + ": " + lastLines(err, out);
    if (step.role() == Role.NEEDED) {
      throw new StoreException("A drill of " + own.getFileName() + " could not be made: " + said);
    }
    if (ended && process.exitValue() == 2) {
      throw new UsageException("A command of the campaign was refused: " + said);
    }
    return said;
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // It runs already: this process is being ended.
    }
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.toHandle().destroyForcibly();
  }

  private static void count(List<String> lines, Map<String, Long> counts) {
    for (String line : lines) {
      if (line.startsWith("{")) {
        try {
          count(JSON.readTree(line), counts);
        } catch (JsonProcessingException e) {
          // The line was torn when its process ended; its content is lost.
        }
      }
    }
  }

  private static void count(JsonNode line, Map<String, Long> counts) {
    line.fields()
        .forEachRemaining(
            each -> {
              if (COUNTS.contains(each.getKey()) && each.getValue().isIntegralNumber()) {
                counts.merge(each.getKey(), each.getValue().asLong(), Long::sum);
              }
            });
    line.path("kinds")
        .fields()
        .forEachRemaining(each -> counts.merge(each.getKey(), each.getValue().asLong(), Long::sum));
    long frames = line.path("params").path("frames").asLong();
    if (frames > 0) {
      counts.merge("frames", frames, Long::sum);
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
  }

  private static String lastLines(Path err, Path out) throws IOException {
    for (Path file : List.of(err, out)) {
      List<String> lines = lines(file);
      if (!lines.isEmpty()) {
        return String.join(" / ", lines.subList(Math.max(0, lines.size() - TOLD), lines.size()));
      }
    }
    return "it said nothing";
  }
}
