package io.braid.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowChange;
import io.braid.core.transaction.RowValues;
import io.braid.http.Json;
import java.util.Collection;

/** The fast path of a server. For one thread. */
final class HttpFast implements FastSession {
  private final HttpCalls calls;
  private long last;

  /** A write may have been done, and has no name to ask by. */
  static final class LostWrite extends RuntimeException {
    LostWrite(HttpFailure cause) {
      super(cause);
    }
  }

  HttpFast(HttpCalls calls) {
    this.calls = calls;
  }

  @Override
  public Versioned<RowValues> readVersion(Row row, Collection<? extends Column<?>> columns) {
    JsonNode answer = calls.again("GET", path(row) + HttpRows.query(columns), null);
    return new Versioned<>(version(answer), HttpRows.read(row, answer.path("columns")));
  }

  private static String path(Row row) {
    return "/v1/fast/" + HttpRows.path(row);
  }

  private static long version(JsonNode answer) {
    return Long.parseLong(answer.path("version").asText());
  }

  private ObjectNode body(RowChange change) {
    ObjectNode body = Json.object().put("after", Long.toString(last));
    body.set("columns", HttpRows.values(change.columns()));
    return body;
  }

  private long write(RowChange change, ObjectNode body) {
    try {
      last = Math.max(last, version(calls.once("POST", path(change.row()), body)));
      return last;
    } catch (HttpFailure e) {
      throw e.lost() ? new LostWrite(e) : e;
    }
  }

  @Override
  public long write(RowChange change) {
    return write(change, body(change));
  }

  @Override
  public long writeIf(long version, RowChange change) {
    return write(change, body(change).put("if_version", Long.toString(version)));
  }

  @Override
  public Request request() {
    throw new UnsupportedOperationException("No workload names its writes.");
  }

  @Override
  public long write(Request request, RowChange change) {
    throw new UnsupportedOperationException("No workload names its writes.");
  }

  @Override
  public long last() {
    return last;
  }
}
