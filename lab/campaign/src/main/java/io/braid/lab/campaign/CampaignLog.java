package io.braid.lab.campaign;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.command.UsageException;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import io.braid.simulation.campaign.RecordedRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a campaign in a file, a line each, and a line for each sitting. A torn last line
 * counts as never written. One campaign at a time has the file.
 */
final class CampaignLog implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final FileChannel channel;
  private final Set<String> done = new HashSet<>();

  private CampaignLog(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Opens a file, or begins it.
   *
   * @param earlier takes what is in it
   * @throws UsageException when it is something else, which then stays as it is, or another
   *     campaign has it
   */
  static CampaignLog open(Path file, LogEntries earlier) {
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      boolean opened = false;
      try {
        CampaignLog log = new CampaignLog(file, channel);
        log.own();
        log.readAll(earlier);
        opened = true;
        return log;
      } finally {
        if (!opened) {
          channel.close();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The log of the campaign cannot be opened: " + file, e);
    }
  }

  private void own() throws IOException {
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Said below.
    }
    if (lock == null) {
      throw new UsageException(
          "Another campaign writes to " + file + ": wait for it, or name another --dir.");
    }
  }

  private void readAll(LogEntries earlier) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
    while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
      // Reads on.
    }
    int end = read(file, bytes.array(), new Noted(earlier));
    channel.truncate(end);
    channel.position(end);
  }

  /**
   * Reads what a campaign has written so far, which may be at work.
   *
   * @throws UsageException when the file is something else
   */
  static void read(Path file, LogEntries entries) throws IOException {
    int unused = read(file, Files.readAllBytes(file), entries);
  }

  /** Where the last whole line ends. */
  private static int read(Path file, byte[] all, LogEntries entries) {
    int end = all.length;
    while (end > 0 && all[end - 1] != '\n') {
      end--;
    }
    List<String> lines = new String(all, 0, end, StandardCharsets.UTF_8).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      try {
        read(lines.get(i), entries);
      } catch (JsonProcessingException | IllegalArgumentException e) {
        throw new UsageException(
            file
                + ", line "
                + (i + 1)
                + " is no run of a campaign; name another place with --dir.");
      }
    }
    return end;
  }

  private static void read(String line, LogEntries entries) throws JsonProcessingException {
    JsonNode node = JSON.readTree(line);
    if (node.has("sitting")) {
      entries.add(Sitting.read(node));
    } else if (node.has("part")) {
      entries.add(RealRun.read(node));
    } else {
      entries.add(RecordedRun.read(line));
    }
  }

  /** Notes what has been run, and passes it on. */
  private final class Noted implements LogEntries {
    private final LogEntries next;

    Noted(LogEntries next) {
      this.next = next;
    }

    @Override
    public void add(Sitting sitting) {
      next.add(sitting);
    }

    @Override
    public void add(SimulationReport run) {
      done.add(run.options().replay());
      next.add(run);
    }

    @Override
    public void add(RealRun drill) {
      done.add(key(drill.part(), drill.seed()));
      next.add(drill);
    }
  }

  private static String key(RealPart part, long seed) {
    return part + "/" + seed;
  }

  boolean has(SimulationOptions run) {
    return done.contains(run.replay());
  }

  boolean has(RealPart part, long seed) {
    return done.contains(key(part, seed));
  }

  void add(SimulationReport report) {
    done.add(report.options().replay());
    write(RecordedRun.toLine(report));
  }

  void add(RealRun run) {
    done.add(key(run.part(), run.seed()));
    write(line(run.toObject()));
  }

  void add(Sitting sitting) {
    write(line(sitting.toObject()));
  }

  private static String line(@Nullable Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A line of the log cannot be written as JSON.", e);
    }
  }

  private void write(String line) {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + "\n");
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The log of the campaign cannot be written: " + file, e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("The log of the campaign cannot be closed: " + file, e);
    }
  }
}
