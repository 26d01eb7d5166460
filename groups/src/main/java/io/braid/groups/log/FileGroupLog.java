package io.braid.groups.log;

import io.braid.core.runtime.Seams;
import io.braid.groups.rows.Reign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A log in files of a directory: several lanes, so that several threads write at once. */
public final class FileGroupLog implements GroupLog {
  private static final Logger LOG = LoggerFactory.getLogger(FileGroupLog.class);
  private static final Pattern NAME = Pattern.compile("lane-(\\d{1,4})-(\\d{1,18})\\.log");

  private final Path directory;
  private final String identity;
  private final List<Lane> lanes = new ArrayList<>();
  private final Map<Long, List<LogEntry>> recovered = new ConcurrentHashMap<>();

  private record Found(Path file, int lane, long segment) {}

  /**
   * Opens the log; nothing is written before the first commit.
   *
   * @param directory of this log alone; whoever opens it has made sure that no other process does
   * @param synced whether entries survive the machine, not only the process
   */
  public FileGroupLog(Path directory, int lanes, boolean synced, long segmentBytes, Seams seams) {
    this.directory = directory;
    this.identity = identity(directory);
    for (int i = 0; i < lanes; i++) {
      this.lanes.add(new Lane(directory, i, synced, segmentBytes, seams));
    }
    this.recovered.putAll(recover());
  }

  /** What tells this log from those of other directories. */
  private static String identity(Path directory) {
    Path file = directory.resolve("IDENTITY");
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(directory);
        Files.writeString(file, UUID.randomUUID().toString());
        Directories.sync(directory);
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new LogBrokenException(file + " cannot be read or written: " + e, e);
    }
  }

  @Override
  public Ticket append(LogEntry entry, Reign reign) {
    int lane = lane(entry.group());
    return lanes.get(lane).commits().append(lane, entry, reign);
  }

  private int lane(long group) {
    return (int) Math.floorMod((group * 0x9E3779B97F4A7C15L) >>> 32, (long) lanes.size());
  }

  @Override
  public void force(Ticket ticket) {
    lanes.get(ticket.lane()).commits().force(ticket);
  }

  @Override
  public boolean isBroken() {
    return lanes.stream().anyMatch(lane -> lane.commits().isBroken());
  }

  @Override
  public boolean canRead(String log) {
    return log.equals(describe());
  }

  /** Nobody else writes here: the directory belongs to this process. */
  @Override
  public void fence(long group, Reign reign) {}

  @Override
  public List<LogEntry> read(long group, long after) {
    return recovered.getOrDefault(group, List.of()).stream()
        .filter(entry -> entry.position() > after)
        .toList();
  }

  @Override
  public Set<Long> groups() {
    return Set.copyOf(recovered.keySet());
  }

  private Map<Long, List<LogEntry>> recover() {
    List<Found> found = find();
    Map<Integer, Long> last = new HashMap<>();
    found.forEach(each -> last.merge(each.lane, each.segment, Math::max));
    Map<Long, List<LogEntry>> entries = new TreeMap<>();
    for (Found each : found) {
      try {
        boolean isLast = each.segment == last.getOrDefault(each.lane, 0L);
        Segment.Content content = Segment.read(each.file, isLast);
        if (content.torn()) {
          LOG.warn(
              "The last block of {} was not written to its end; it is cut off. Nothing in it was"
                  + " acknowledged.",
              each.file);
          Segment.cut(each.file, content.end());
        }
        // A log that had more lanes before is read all the same, and kept by the first.
        Lane keeper = lanes.get(each.lane < lanes.size() ? each.lane : 0);
        keeper.keep(each.file, each.segment, content.entries());
        content
            .entries()
            .forEach(e -> entries.computeIfAbsent(e.group(), g -> new ArrayList<>()).add(e));
      } catch (IOException | IllegalArgumentException e) {
        throw new LogBrokenException(each.file + " cannot be read: " + e, e);
      }
    }
    entries.values().forEach(list -> list.sort(Comparator.comparingLong(LogEntry::position)));
    return entries;
  }

  private List<Found> find() {
    List<Found> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          found.add(
              new Found(file, Integer.parseInt(name.group(1)), Long.parseLong(name.group(2))));
        }
      }
    } catch (IOException e) {
      throw new LogBrokenException("The directory " + directory + " cannot be read: " + e, e);
    }
    found.sort(Comparator.comparingInt(Found::lane).thenComparingLong(Found::segment));
    return found;
  }

  @Override
  public void shipped(long group, long position) {
    recovered.computeIfPresent(
        group, (g, all) -> all.get(all.size() - 1).position() <= position ? null : all);
    lanes.forEach(lane -> lane.shipped(group, position));
  }

  @Override
  public void forget(long group, LongSupplier now) {
    recovered.remove(group);
    lanes.forEach(lane -> lane.forget(group));
  }

  /** Nothing comes late: who wrote here and is gone wrote from this process. */
  @Override
  public void sweep() {}

  @Override
  public String describe() {
    return "files " + identity;
  }

  @Override
  public void close() {
    lanes.forEach(Lane::close);
  }
}
