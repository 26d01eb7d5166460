package io.braid.groups.log;

import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log in a folder of a Hadoop file system that all nodes reach (section 4.3). Each process writes
 * its own log, a subfolder. A process that takes groups over from a process that is gone reads the
 * log of that process.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The seal in the store ({@code Seals}) defines the valid part of another process's log, and
 *       never changes.
 *   <li>A log is sealed before the record of the first of its groups names another. So the logged
 *       and unshipped entries of a group are in sealed logs and in the log of its leader.
 *   <li>A process that was taken for dead and wakes up finds its folder shut ({@code HadoopFolder})
 *       before it acknowledges the entries that it forced. Its log is broken from then on.
 *   <li>In a process's own log a fence keeps out the lower epochs of a group that this process has
 *       taken over from itself.
 * </ul>
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class HadoopGroupLog extends SegmentedLog {
  private static final Logger LOG = LoggerFactory.getLogger(HadoopGroupLog.class);
  private static final String KIND = "hadoop ";

  private final FileSystem files;
  private final Path root;
  private final Seams seams;
  private final Seals seals;
  private final HadoopFolder own;
  private final Map<String, Map<Long, List<LogEntry>>> sealed = new ConcurrentHashMap<>();
  private volatile Set<String> seenDead = Set.of();

  /**
   * Opens a log of this process.
   *
   * @param store where seals are kept
   * @param folder of the logs of all processes; those of each database are in one of their own
   * @param durability whether entries survive the machines too that hold the files
   * @throws LogBrokenException when the file system cannot be reached
   * @throws IllegalArgumentException when it is none that logs can be in
   */
  public static HadoopGroupLog open(
      CellStore store,
      URI folder,
      int lanes,
      Durability durability,
      long segmentBytes,
      Seams seams) {
    try {
      Configuration configuration = new Configuration();
      // It is closed with the log, not when the JVM begins to end.
      configuration.setBoolean("fs.automatic.close", false);
      FileSystem files = FileSystem.newInstance(folder, configuration);
      // The checksums that Hadoop adds to local files keep it from syncing; blocks have their own.
      FileSystem usable = files instanceof LocalFileSystem local ? local.getRaw() : files;
      try {
        return open(store, usable, new Path(folder), lanes, durability, segmentBytes, seams);
      } catch (IOException | RuntimeException e) {
        files.close();
        throw e;
      }
    } catch (IOException e) {
      throw new LogBrokenException("Key groups cannot log in " + folder + ": " + e, e);
    }
  }

  /**
   * As the method above, with a file system that the caller brings.
   *
   * @param files closed with the log
   * @throws IOException when it cannot be reached
   */
  public static HadoopGroupLog open(
      CellStore store,
      FileSystem files,
      Path folder,
      int lanes,
      Durability durability,
      long segmentBytes,
      Seams seams)
      throws IOException {
    Seals seals = new Seals(store, durability, seams);
    // Numbers of groups are those of one database.
    Path root = files.makeQualified(new Path(folder, seals.database()));
    byte[] name = new byte[16];
    seams.random().nextBytes(name);
    HadoopFolder own =
        new HadoopFolder(files, new Path(root, "log-" + HexFormat.of().formatHex(name)));
    own.open(seams.liveness().token());
    boolean synced = durability == Durability.SYNCED;
    return new HadoopGroupLog(files, root, own, seals, lanes, synced, segmentBytes, seams);
  }

  private HadoopGroupLog(
      FileSystem files,
      Path root,
      HadoopFolder own,
      Seals seals,
      int lanes,
      boolean synced,
      long segmentBytes,
      Seams seams) {
    super(own, lanes, synced, segmentBytes, seams);
    this.files = files;
    this.root = root;
    this.own = own;
    this.seals = seals;
    this.seams = seams;
  }

  private HadoopFolder folder(String name) {
    return new HadoopFolder(files, new Path(root, name));
  }

  /** Returns the number of other processes' logs whose entries it keeps in memory. */
  int keptLogs() {
    return sealed.size();
  }

  // Taking over.

  @Override
  public String describe() {
    return KIND + root + "/" + own.name();
  }

  @Override
  public boolean canRead(String log) {
    return log.startsWith(KIND + root + "/log-");
  }

  @Override
  public void supersede(String earlier) {
    String name = earlier.substring(earlier.lastIndexOf('/') + 1);
    if (!name.equals(own.name()) && !sealed.containsKey(name)) {
      seal(folder(name));
    }
  }

  private void seal(HadoopFolder log) {
    try {
      if (seals.of(log.name()).isEmpty()) {
        log.shut();
        Map<String, Long> ends = new LinkedHashMap<>();
        for (Segments.SegmentFile each : Segments.among(log.names())) {
          String where = log.whereIs(each.name());
          ends.put(each.name(), Segment.read(where, log.read(each.name()), each.last()).end());
        }
        seals.put(log.name(), ends);
        LOG.info("The log {} is sealed: its groups are taken over.", log.whereIs(""));
      }
    } catch (FileNotFoundException e) {
      if (exists(log)) {
        // The writer has just removed a file. Whether it has left others must be checked again.
        throw new LogBrokenException("The log " + log.whereIs("") + " changes: try again.", e);
      }
      LOG.debug("The log {} is gone: all that was in it is shipped.", log.whereIs(""));
    } catch (IOException | IllegalArgumentException e) {
      throw new LogBrokenException("The log " + log.whereIs("") + " cannot be sealed: " + e, e);
    }
  }

  private boolean exists(HadoopFolder log) {
    return logs().contains(log.name());
  }

  @Override
  public List<LogEntry> read(long group, long after) {
    TreeMap<Long, LogEntry> found = new TreeMap<>();
    for (String name : logs()) {
      entries(name).getOrDefault(group, List.of()).forEach(e -> found.put(e.position(), e));
    }
    List<LogEntry> entries = new ArrayList<>();
    LogEntry next = found.get(after + 1);
    while (next != null) {
      entries.add(next);
      next = found.get(next.position() + 1);
    }
    return entries;
  }

  /** The entries of a log: of a sealed one or one's own; of another none. */
  private Map<Long, List<LogEntry>> entries(String name) {
    HadoopFolder log = folder(name);
    try {
      if (name.equals(own.name())) {
        return entries(log, Optional.empty());
      }
      Map<Long, List<LogEntry>> known = sealed.get(name);
      if (known == null) {
        Optional<Map<String, Long>> ends = seals.of(name);
        if (ends.isEmpty()) {
          return Map.of();
        }
        known = entries(log, ends);
        sealed.put(name, known);
      }
      return known;
    } catch (IOException | IllegalArgumentException e) {
      throw new LogBrokenException("The log " + log.whereIs("") + " cannot be read: " + e, e);
    }
  }

  /**
   * Reads a log.
   *
   * @param ends how far, if it is not written any more
   */
  private static Map<Long, List<LogEntry>> entries(
      HadoopFolder log, Optional<Map<String, Long>> ends) throws IOException {
    Map<Long, List<LogEntry>> entries = new TreeMap<>();
    for (Segments.SegmentFile each : Segments.among(log.names())) {
      long end = ends.map(of -> of.getOrDefault(each.name(), 0L)).orElse(Long.MAX_VALUE);
      if (end > 0) {
        byte[] all = log.read(each.name());
        byte[] valid = end < all.length ? Arrays.copyOf(all, (int) end) : all;
        Segment.read(log.whereIs(each.name()), valid, true)
            .entries()
            .forEach(e -> entries.computeIfAbsent(e.group(), g -> new ArrayList<>()).add(e));
      }
    }
    entries.values().forEach(list -> list.sort(Comparator.comparingLong(LogEntry::position)));
    return entries;
  }

  @Override
  public Set<Long> groups() {
    // The rest of a group's entries is removed together with the log that contains them.
    return Set.of();
  }

  /** The names of all logs, this one among them. */
  private Set<String> logs() {
    try {
      Set<String> names = new TreeSet<>();
      for (FileStatus each : files.listStatus(root)) {
        if (each.isDirectory() && each.getPath().getName().startsWith("log-")) {
          names.add(each.getPath().getName());
        }
      }
      return names;
    } catch (IOException e) {
      throw new LogBrokenException("The folder " + root + " cannot be read: " + e, e);
    }
  }

  // Logs of other processes.

  /**
   * Removes sealed logs whose entries are all shipped. Seals logs whose writer is not alive, even
   * if the writer led no group that another process would take over. The writer must be found dead
   * twice, since a process may have just begun.
   */
  @Override
  public void sweep(Progress progress) {
    Set<String> dead = new HashSet<>();
    Set<String> all = logs();
    // Others remove logs, too.
    sealed.keySet().retainAll(all);
    for (String name : all) {
      if (!name.equals(own.name())) {
        sweep(name, progress, dead);
      }
    }
    seenDead = dead;
  }

  private void sweep(String name, Progress progress, Set<String> dead) {
    HadoopFolder log = folder(name);
    try {
      if (seals.of(name).isPresent()) {
        if (isShipped(entries(name), progress)) {
          log.remove();
          seals.remove(name);
          sealed.remove(name);
          LOG.info("The log {} is removed: all that was in it is shipped.", log.whereIs(""));
        }
      } else if (!seams.liveness().isAlive(log.writer())) {
        dead.add(name);
        if (seenDead.contains(name)) {
          seal(log);
        }
      }
    } catch (IOException e) {
      LOG.debug("The log {} is looked at again later.", log.whereIs(""), e);
    }
  }

  private static boolean isShipped(Map<Long, List<LogEntry>> entries, Progress progress) {
    return entries.entrySet().stream()
        .allMatch(
            each -> {
              List<LogEntry> all = each.getValue();
              return all.get(all.size() - 1).position() <= progress.shipped(each.getKey());
            });
  }

  /**
   * Closes the log. Removes it if all its entries are shipped; else leaves it to the process that
   * takes the groups up.
   */
  @Override
  public void close() {
    try (files) {
      boolean removed = !isBroken() && !isNeeded();
      super.close();
      if (removed) {
        own.remove();
      }
    } catch (IOException e) {
      LOG.debug("The log {} is left behind.", own.whereIs(""), e);
    }
  }
}
