package io.braid.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.http.Json;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** An open transaction; writes go with the next read or the commit. For one thread. */
final class HttpTransaction extends HttpReads implements Transaction {
  private final HttpCalls calls;
  private final String path;
  private final long start;
  private final ArrayNode writes = Json.object().arrayNode();
  private boolean wrote;
  private long step;
  private boolean ended;

  /** The answer to a commit was lost, or may have been. */
  static final class LostCommit extends RuntimeException {
    private final String request;

    LostCommit(String request, HttpFailure cause) {
      super(cause);
      this.request = request;
    }

    String request() {
      return request;
    }
  }

  HttpTransaction(HttpCalls calls) {
    this.calls = calls;
    JsonNode begun = calls.again("POST", "/v1/transactions", Json.object());
    this.path = "/v1/transactions/" + begun.path("transaction").asText();
    this.start = Long.parseLong(begun.path("start").asText());
  }

  @Override
  public long timestamp() {
    return start;
  }

  /** Sends the writes that are kept, then reads: the answers to these. */
  private JsonNode operate(ObjectNode read) {
    ObjectNode body = Json.object().put("step", ++step);
    body.putArray("operations").addAll(writes).add(read);
    JsonNode results = calls.again("POST", path + "/operations", body).path("results");
    JsonNode last = results.path(writes.size());
    writes.removeAll();
    return last;
  }

  @Override
  public Map<Row, RowValues> getAll(Collection<Row> rows, Collection<? extends Column<?>> columns) {
    Map<Row, RowValues> all = new LinkedHashMap<>();
    for (Row row : rows) {
      ObjectNode read = HttpRows.operation("get", row);
      read.set("columns", HttpRows.names(columns));
      all.put(row, HttpRows.read(row, operate(read).path("columns")));
    }
    return all;
  }

  @Override
  public RowCursor scan(Scan scan) {
    ObjectNode read = Json.object().put("op", "scan").put("table", scan.table());
    read.put("from", ByteText.show(scan.range().start()));
    Bytes to = scan.range().end();
    if (to != null) {
      read.put("to", ByteText.show(to));
    }
    ArrayNode families = read.putArray("families");
    scan.families().forEach(families::add);
    ArrayNode columns = read.putArray("columns");
    scan.columns().forEach(column -> columns.add(Columns.show(column)));
    return new HttpCursor(
        scan.table(),
        after -> {
          after.ifPresent(key -> read.put("after", key));
          return operate(read);
        });
  }

  @Override
  public <T> void set(Row row, Column<T> column, T value) {
    write(row, column, Optional.of(column.encode(value)));
  }

  @Override
  public void delete(Row row, Column<?> column) {
    write(row, column, Optional.empty());
  }

  private void write(Row row, Column<?> column, Optional<Bytes> value) {
    SortedMap<ColumnName, Optional<Bytes>> one = new TreeMap<>(Map.of(column.name(), value));
    writes.add(HttpRows.operation("set", row).set("columns", HttpRows.values(one)));
    wrote = true;
  }

  @Override
  public void lock(Row row, Column<?> column) {
    writes.add(HttpRows.operation("lock", row).set("columns", HttpRows.names(List.of(column))));
    wrote = true;
  }

  @Override
  public boolean hasWrites() {
    return wrote;
  }

  @Override
  public long commit() {
    if (!wrote) {
      rollback();
      return start;
    }
    ended = true;
    String request = UUID.randomUUID().toString();
    ObjectNode body = Json.object().put("request", request);
    if (!writes.isEmpty()) {
      body.set("operations", writes);
    }
    try {
      return Long.parseLong(calls.again("POST", path + "/commit", body).path("commit").asText());
    } catch (HttpFailure e) {
      // A refusal after a lost answer says nothing of the attempt before it.
      throw e.lost() ? new LostCommit(request, e) : e;
    }
  }

  @Override
  public void rollback() {
    if (!ended) {
      ended = true;
      try {
        calls.once("DELETE", path, null);
      } catch (HttpFailure e) {
        // The lease ends the transaction.
      }
    }
  }

  @Override
  public void close() {
    rollback();
  }

  @Override
  public Optional<TransactionId> id() {
    return Optional.empty();
  }

  @Override
  public void notifyWeakly(Row row, Column<?> column) {
    throw new UnsupportedOperationException(
        "Weak notifications are written in the process of the database.");
  }
}
