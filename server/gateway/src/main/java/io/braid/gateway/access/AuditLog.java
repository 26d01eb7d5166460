package io.braid.gateway.access;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.runtime.Seams;
import io.braid.http.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of changes and refusals, with the identity of each caller: one JSON object per line. The
 * log holds names of tables and keys of rows, never values or tokens.
 */
public final class AuditLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  private final Seams seams;
  private final Object writing = new Object();
  private final @Nullable BufferedWriter out;
  private volatile boolean healthy = true;

  /**
   * @param file that is added to; null: none
   */
  public AuditLog(Seams seams, @Nullable Path file) throws IOException {
    this.seams = seams;
    this.out =
        file == null
            ? null
            : Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /**
   * Adds a line.
   *
   * @param needs the needs of the request, as far as they were checked
   */
  public void add(
      String identity, String from, String method, String path, List<String> needs, int status) {
    if (out == null) {
      return;
    }
    ObjectNode line = Json.object();
    line.put("time", Instant.ofEpochMilli(seams.wallMillis()).toString());
    line.put("identity", identity).put("from", from).put("method", method).put("path", path);
    ArrayNode needed = line.putArray("needs");
    needs.forEach(needed::add);
    line.put("status", status);
    try {
      synchronized (writing) {
        out.write(line + "\n");
        out.flush();
      }
      healthy = true;
    } catch (IOException e) {
      healthy = false;
      LOG.error("The audit log cannot be written.", e);
    }
  }

  /** Whether the last line was written; changes are refused while it was not. */
  public boolean healthy() {
    return healthy;
  }

  @Override
  public void close() throws IOException {
    if (out != null) {
      out.close();
    }
  }
}
