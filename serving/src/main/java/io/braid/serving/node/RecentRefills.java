package io.braid.serving.node;

import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.Seams;
import io.braid.serving.StoreNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * The read-write stores that a node was refilled of less than ten minutes ago. Each is a file in
 * folder {@code .refilled} of the node's directory, with the name of the store. Only the existence
 * of the file counts: its content is never read.
 *
 * <p>The time of the refill is not kept, as the wall clock may be wrong. A node that starts and
 * finds the file begins the ten minutes again.
 *
 * <p>One thread changes the files; any thread may ask.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RecentRefills {
  private static final String FOLDER = ".refilled";

  /** Longer than a client tries to write. */
  private static final Duration UNDER_WAY = Duration.ofMinutes(10);

  private final Seams seams;
  private final Path folder;
  private final ConcurrentMap<String, Long> since = new ConcurrentHashMap<>();

  /**
   * Those of which files are there.
   *
   * @param node its directory
   */
  public RecentRefills(Seams seams, Path node) throws IOException {
    this.seams = seams;
    this.folder = node.resolve(FOLDER);
    for (Path file : DurableFiles.list(folder)) {
      String store = String.valueOf(file.getFileName());
      if (StoreNames.isStore(store)) {
        since.put(store, seams.nanoTime());
      }
    }
  }

  /** Their names. */
  public Set<String> stores() {
    if (since.isEmpty()) {
      return Set.of();
    }
    return since.entrySet().stream()
        .filter(each -> !isOver(each.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Begins the ten minutes of a store. It is durable when this returns. */
  public void add(String store) throws IOException {
    DurableFiles.createDirectories(folder);
    DurableFiles.write(folder.resolve(StoreNames.store(store)), new byte[0]);
    since.put(store, seams.nanoTime());
  }

  /** Removes the files of those whose ten minutes are over. */
  public void removeOld() throws IOException {
    for (Map.Entry<String, Long> each : new ArrayList<>(since.entrySet())) {
      if (isOver(each.getValue())) {
        Files.deleteIfExists(folder.resolve(each.getKey()));
        DurableFiles.syncDirectory(folder);
        since.remove(each.getKey());
      }
    }
  }

  private boolean isOver(long begin) {
    return seams.nanoTime() - begin > UNDER_WAY.toNanos();
  }
}
