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
import java.util.function.Supplier;

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

  private long took(Supplier<JsonNode> sends) {
    try {
      last = Math.max(last, version(sends.get()));
      return last;
    } catch (HttpFailure e) {
      throw e.lost() ? new LostWrite(e) : e;
    }
  }

  private long once(RowChange change, ObjectNode body) {
    return took(() -> calls.once("POST", path(change.row()), body));
  }

  @Override
  public long write(RowChange change) {
    return once(change, body(change));
  }

  @Override
  public long writeIf(long version, RowChange change) {
    return once(change, body(change).put("if_version", Long.toString(version)));
  }

  @Override
  public Request request() {
    JsonNode name = calls.again("GET", "/v1/fast/name", null);
    long after = Long.parseLong(name.path("after").asText());
    return new Request(Long.parseLong(name.path("id").asText()), Math.max(last, after));
  }

  @Override
  public long write(Request request, RowChange change) {
    ObjectNode body = body(change);
    body.putObject("name")
        .put("id", Long.toString(request.id()))
        .put("after", Long.toString(request.after()));
    return took(() -> calls.again("POST", path(change.row()), body));
  }

  @Override
  public long last() {
    return last;
  }
}
