package io.braid.gateway.access;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.runtime.OwnerOnly;
import io.braid.core.runtime.Seams;
import io.braid.http.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of changes and refusals, with the identity of each caller: one JSON object per line. The
 * log holds names of tables and keys of rows, never values or tokens. A file that was renamed, as
 * tools for rotation do, is followed by a new one of the old name.
 *
 * <p>Unknown callers cannot fill the disk: paths are shortened, and only some of their refusals get
 * a line. The next line then tells how many have none.
 */
public final class AuditLog implements AutoCloseable {
  /** The identity of a caller that is not known. */
  public static final String UNKNOWN = "-";

  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
  private static final int MOST_PATH = 1024; // characters
  private static final int MOST_UNKNOWN = 20; // lines for unknown callers within a span
  private static final long SPAN = Duration.ofSeconds(1).toNanos();

  private final Seams seams;
  private final @Nullable Path file;
  private @Nullable OutputStream out;
  private @Nullable Object key; // of the open file
  private long spanBegan;
  private int unknown;
  private long omitted;
  private volatile boolean healthy = true;

  /**
   * @param file that is added to; null: none
   */
  public AuditLog(Seams seams, @Nullable Path file) throws IOException {
    this.seams = seams;
    this.file = file;
    this.spanBegan = seams.nanoTime();
    if (file != null) {
      open(file);
    }
  }

  private void open(Path at) throws IOException {
    OwnerOnly.createFile(at);
    out = Files.newOutputStream(at, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    key = keyOf(at);
  }

  private static @Nullable Object keyOf(Path at) throws IOException {
    return Files.exists(at) ? Files.readAttributes(at, BasicFileAttributes.class).fileKey() : null;
  }

  /**
   * Adds a line.
   *
   * @param needs the needs of the request, as far as they were checked
   */
  public void add(
      String identity, String from, String method, String path, List<String> needs, int status) {
    if (file != null) {
      addTo(file, identity, from, method, path, needs, status);
    }
  }

  private synchronized void addTo(
      Path at,
      String identity,
      String from,
      String method,
      String path,
      List<String> needs,
      int status) {
    boolean nextSpan = seams.nanoTime() - spanBegan >= SPAN;
    if (nextSpan) {
      spanBegan = seams.nanoTime();
      unknown = 0;
    }
    if (identity.equals(UNKNOWN) && unknown++ >= MOST_UNKNOWN) {
      omitted++;
      return;
    }
    ObjectNode line = Json.object();
    line.put("time", Instant.ofEpochMilli(seams.wallMillis()).toString());
    line.put("identity", identity).put("from", from).put("method", method);
    line.put("path", path.length() <= MOST_PATH ? path : path.substring(0, MOST_PATH) + "...");
    ArrayNode needed = line.putArray("needs");
    needs.forEach(needed::add);
    line.put("status", status);
    if (omitted > 0) {
      line.put("omitted", omitted);
    }
    try {
      // After a failure, the last line may be there in part.
      write(at, (healthy ? "" : "\n") + line + "\n", nextSpan);
      omitted = 0;
      healthy = true;
    } catch (IOException e) {
      closeAfter(e);
      if (healthy) {
        LOG.error("The audit log cannot be written.", e);
      }
      healthy = false;
    }
  }

  private void write(Path at, String line, boolean look) throws IOException {
    if (out == null || (look && !Objects.equals(key, keyOf(at)))) {
      close();
      open(at);
    }
    OutputStream to = out;
    if (to != null) {
      to.write(line.getBytes(StandardCharsets.UTF_8));
    }
  }

  private void closeAfter(IOException failure) {
    try {
      close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** After a failure, writes a line to find out whether there is room again. */
  public synchronized void tryAgain() {
    if (!healthy) {
      add("braid", "here", "RETRY", "", List.of(), 200);
    }
  }

  /** Whether the last line was written; changes are refused while it was not. */
  public boolean healthy() {
    return healthy;
  }

  @Override
  public synchronized void close() throws IOException {
    OutputStream open = out;
    out = null;
    if (open != null) {
      open.close();
    }
  }
}
