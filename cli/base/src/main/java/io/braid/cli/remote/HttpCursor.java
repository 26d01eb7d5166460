package io.braid.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.view.ByteText;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;

/** Rows of a scan, page by page. */
final class HttpCursor implements RowCursor {
  private final String table;
  private final Function<Optional<String>, JsonNode> pages;
  private final Deque<RowValues> rows = new ArrayDeque<>();
  private Optional<String> after = Optional.empty();
  private boolean last;

  /**
   * @param pages asks for the page after a key, as it is shown; empty: the first one
   */
  HttpCursor(String table, Function<Optional<String>, JsonNode> pages) {
    this.table = table;
    this.pages = pages;
  }

  @Override
  public boolean hasNext() {
    while (rows.isEmpty() && !last) {
      JsonNode page = pages.apply(after);
      for (JsonNode each : page.path("rows")) {
        Row row = Row.of(table, ByteText.parse(each.path("row").asText()));
        rows.add(HttpRows.read(row, each.path("columns")));
      }
      after = Optional.ofNullable(page.path("next").textValue());
      last = after.isEmpty();
    }
    return !rows.isEmpty();
  }

  @Override
  public RowValues next() {
    if (!hasNext()) {
      throw new NoSuchElementException("The scan has no more rows.");
    }
    return rows.remove();
  }

  @Override
  public void close() {
    last = true;
    rows.clear();
  }
}
