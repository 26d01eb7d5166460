package io.braid.gateway.node;

import io.braid.ConfigurationException;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that are read again when they change. New files that cannot be used change nothing: the
 * last usable content stays in force. The log gives the reason once, {@link #broken} names the
 * files, and each look tries them again until they can be used.
 */
final class LiveFiles implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveFiles.class);

  /** How often it looks. */
  static final Duration PERIOD = Duration.ofSeconds(2);

  private final List<WatchedFiles> all = new ArrayList<>();
  private @Nullable Duty duty;

  /** Reads files again, and brings what they hold into force. */
  interface Reloader {
    /**
     * @throws ConfigurationException when they cannot be used; nothing has changed then
     * @throws IllegalArgumentException the same
     */
    void run();
  }

  /**
   * A mark that distinguishes one content of a file from the next. Empty if the file cannot be
   * examined.
   */
  private record Stamp(String text) {
    private static Stamp of(Path file) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(now.lastModifiedTime() + " " + now.size() + " " + now.fileKey());
      } catch (IOException e) {
        return new Stamp("");
      }
    }
  }

  /** Files that are read together. Guarded by the files. */
  private static final class WatchedFiles {
    private final String what;
    private final List<Path> files;
    private final Reloader reread;
    private List<Stamp> read;
    private Optional<String> problem = Optional.empty();

    private WatchedFiles(String what, List<Path> files, Reloader reread) {
      this.what = what;
      this.files = List.copyOf(files);
      this.reread = reread;
      this.read = stamps();
    }

    private List<Stamp> stamps() {
      return files.stream().map(Stamp::of).toList();
    }

    private void look() {
      // Before the files are read: changes during the read are seen at the next look.
      List<Stamp> now = stamps();
      if (now.equals(read) && problem.isEmpty()) {
        return;
      }
      read = now;
      try {
        reread.run();
        problem = Optional.empty();
        LOG.info("The {} were read again, and are in force.", what);
      } catch (ConfigurationException | IllegalArgumentException e) {
        String why = String.valueOf(e.getMessage());
        if (!problem.equals(Optional.of(why))) {
          LOG.error("The {} stay as they were: what is on the disk cannot be used. {}", what, why);
        }
        problem = Optional.of(why);
      }
    }
  }

  /**
   * Adds files; to be called before they are read for the first time, so that no change is missed.
   *
   * @param what they hold, in plural, for people
   */
  synchronized void watch(String what, List<Path> files, Reloader reread) {
    all.add(new WatchedFiles(what, files, reread));
  }

  /** Begins to look. */
  synchronized void start(Seams seams) {
    if (!all.isEmpty()) {
      duty =
          Duty.start(
              seams,
              "watch-files",
              PERIOD,
              () -> {
                look();
                return false;
              });
    }
  }

  /** Looks whether files have changed. */
  synchronized void look() {
    all.forEach(WatchedFiles::look);
  }

  /**
   * Returns the names of the settings that stay as they were because the newest files cannot be
   * used.
   */
  synchronized List<String> broken() {
    return all.stream().filter(each -> each.problem.isPresent()).map(each -> each.what).toList();
  }

  @Override
  public void close() {
    Duty running = duty;
    if (running != null) {
      running.close();
    }
  }
}
