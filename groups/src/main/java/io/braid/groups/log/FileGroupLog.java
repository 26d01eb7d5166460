package io.braid.groups.log;

import io.braid.core.runtime.Seams;
import io.braid.groups.rows.Reign;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log in files of a directory.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class FileGroupLog extends SegmentedLog {
  private static final Logger LOG = LoggerFactory.getLogger(FileGroupLog.class);

  private final LocalFolder folder;
  private final String identity;
  private final Map<Long, List<LogEntry>> recovered = new ConcurrentHashMap<>();

  /**
   * Opens the log; nothing is written before the first commit.
   *
   * @param directory of this log alone; the caller has made sure that no other process opens it
   * @param synced whether entries survive the machine, not only the process
   */
  public FileGroupLog(Path directory, int lanes, boolean synced, long segmentBytes, Seams seams) {
    this(directory, lanes, synced, segmentBytes, seams, () -> {});
  }

  /**
   * Opens the log, for a directory that another process may take.
   *
   * @param requireOwned throws once another process has taken the directory: then nothing more is
   *     written, and written entries are not acknowledged
   */
  public FileGroupLog(
      Path directory,
      int lanes,
      boolean synced,
      long segmentBytes,
      Seams seams,
      Runnable requireOwned) {
    this(directory, new LocalFolder(directory, requireOwned), lanes, synced, segmentBytes, seams);
  }

  private FileGroupLog(
      Path directory,
      LocalFolder folder,
      int lanes,
      boolean synced,
      long segmentBytes,
      Seams seams) {
    super(folder, lanes, synced, segmentBytes, seams);
    this.folder = folder;
    this.identity = LogIdentity.of(directory);
    this.recovered.putAll(recover());
  }

  @Override
  public boolean canRead(String log) {
    return log.equals(describe());
  }

  /** Does nothing: no other process writes here, as the directory belongs to this process. */
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
    Map<Long, List<LogEntry>> entries = new TreeMap<>();
    for (Segments.SegmentFile each : find()) {
      String file = folder.whereIs(each.name());
      try {
        Segment.Content content = Segment.read(file, folder.read(each.name()), each.last());
        if (content.torn()) {
          LOG.warn(
              "The last block of {} was not written to its end; it is cut off. Nothing in it was"
                  + " acknowledged.",
              file);
          folder.cut(each.name(), content.end());
        }
        keep(each, content.entries());
        if (content.end() > 0) {
          folder.keep(each.name());
        }
        content
            .entries()
            .forEach(e -> entries.computeIfAbsent(e.group(), g -> new ArrayList<>()).add(e));
      } catch (IOException | IllegalArgumentException e) {
        throw new LogBrokenException(file + " cannot be read: " + e, e);
      }
    }
    entries.values().forEach(list -> list.sort(Comparator.comparingLong(LogEntry::position)));
    return entries;
  }

  private List<Segments.SegmentFile> find() {
    try {
      List<String> names = folder.names();
      folder.requireKept(names);
      return Segments.among(names);
    } catch (IOException e) {
      throw new LogBrokenException(
          "The directory " + folder.whereIs("") + " cannot be read: " + e, e);
    }
  }

  @Override
  public void shipped(long group, long position) {
    recovered.computeIfPresent(
        group, (g, all) -> all.get(all.size() - 1).position() <= position ? null : all);
    super.shipped(group, position);
  }

  @Override
  public void forget(Collection<Long> groups, LongSupplier now) {
    groups.forEach(recovered::remove);
    super.forget(groups, now);
  }

  /** Does nothing: no entry comes late, as earlier writers wrote from this process. */
  @Override
  public void sweep(Progress progress) {}

  /** Does nothing: no other process writes here. */
  @Override
  public void supersede(String earlier) {}

  @Override
  public String describe() {
    return "files " + identity;
  }
}
