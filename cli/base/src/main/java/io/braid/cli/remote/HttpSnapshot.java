package io.braid.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.http.Json;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads at one timestamp, each a request. */
final class HttpSnapshot extends HttpReads {
  private final HttpCalls calls;
  private final long at;

  HttpSnapshot(HttpCalls calls, long at) {
    this.calls = calls;
    this.at = at;
  }

  @Override
  public long timestamp() {
    return at;
  }

  @Override
  public Map<Row, RowValues> getAll(Collection<Row> rows, Collection<? extends Column<?>> columns) {
    Map<Row, RowValues> all = new LinkedHashMap<>();
    rows.forEach(row -> all.put(row, HttpRows.read(row, columns(row, HttpRows.query(columns)))));
    return all;
  }

  private JsonNode columns(Row row, String query) {
    String path = "/v1/tables/" + HttpRows.path(row) + query + "&at=" + at;
    try {
      return calls.again("GET", path, null).path("columns");
    } catch (HttpFailure e) {
      if (e.error().equals("no such value")) {
        return Json.object();
      }
      throw e;
    }
  }

  @Override
  public RowCursor scan(Scan scan) {
    StringBuilder query = new StringBuilder("?at=").append(at);
    query.append("&from=").append(HttpRows.encoded(ByteText.show(scan.range().start())));
    Bytes to = scan.range().end();
    if (to != null) {
      query.append("&to=").append(HttpRows.encoded(ByteText.show(to)));
    }
    scan.families().forEach(family -> query.append("&family=").append(HttpRows.encoded(family)));
    for (ColumnName column : scan.columns()) {
      query.append("&column=").append(HttpRows.encoded(Columns.show(column)));
    }
    String path = "/v1/tables/" + HttpRows.encoded(scan.table()) + "/rows" + query;
    return new HttpCursor(
        scan.table(),
        after ->
            calls.again(
                "GET",
                path + after.map(key -> "&after=" + HttpRows.encoded(key)).orElse(""),
                null));
  }

  @Override
  public void close() {}
}
