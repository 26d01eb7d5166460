package io.braid.core.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates that follow their files. Before each new connection, but at most every two seconds,
 * this class checks whether the files have changed, and reads them again if so. Unusable files
 * change nothing: the log reports them once, and the next check tries them again.
 */
final class FollowedFiles implements Supplier<SSLContext> {
  private static final Logger LOG = LoggerFactory.getLogger(FollowedFiles.class);
  private static final long PERIOD = Duration.ofSeconds(2).toNanos();

  private final List<Path> files;
  private final Supplier<SSLContext> reads;
  private final LongSupplier nanoTime;
  private SSLContext current;
  private List<String> stamps;
  private long looked;
  private Optional<String> problem = Optional.empty();

  /**
   * Reads them for the first time.
   *
   * @param reads the files
   * @throws IllegalArgumentException when they cannot be used
   */
  FollowedFiles(List<Path> files, Supplier<SSLContext> reads, LongSupplier nanoTime) {
    this.files = List.copyOf(files);
    this.reads = reads;
    this.nanoTime = nanoTime;
    this.stamps = stamps();
    this.current = reads.get();
    this.looked = nanoTime.getAsLong();
  }

  @Override
  public synchronized SSLContext get() {
    long now = nanoTime.getAsLong();
    if (now - looked >= PERIOD) {
      looked = now;
      look();
    }
    return current;
  }

  private void look() {
    // Taken before the files are read: the next look notices a later change.
    List<String> found = stamps();
    if (found.equals(stamps) && problem.isEmpty()) {
      return;
    }
    stamps = found;
    try {
      current = reads.get();
      problem = Optional.empty();
      LOG.info("{} were read again: new connections are made with them.", files);
    } catch (RuntimeException e) {
      Optional<String> why = Optional.of(String.valueOf(e.getMessage()));
      if (!why.equals(problem)) {
        LOG.error("Connections go on with what {} held: {}", files, why.get());
      }
      problem = why;
    }
  }

  private List<String> stamps() {
    List<String> all = new ArrayList<>();
    for (Path each : files) {
      try {
        BasicFileAttributes now = Files.readAttributes(each, BasicFileAttributes.class);
        all.add(now.lastModifiedTime() + " " + now.size() + " " + now.fileKey());
      } catch (IOException e) {
        all.add("cannot be looked at");
      }
    }
    return all;
  }
}
