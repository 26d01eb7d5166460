package io.braid.client;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.rpc.v1.LastChangedRequest;
import io.braid.rpc.v1.LastChangedResponse;
import io.braid.rpc.v1.ReadRequest;
import io.braid.rpc.v1.ReadResponse;
import io.braid.rpc.v1.RowData;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** A snapshot of a server: it holds nothing there but its timestamp here. */
final class RemoteSnapshot implements Snapshot {
  private final Server server;
  private final long at;

  RemoteSnapshot(Server server, long at) {
    this.server = server;
    this.at = at;
  }

  @Override
  public long timestamp() {
    return at;
  }

  @Override
  public Map<Row, RowValues> getAll(Collection<Row> rows, Collection<? extends Column<?>> columns) {
    Map<Row, RowValues> all = new LinkedHashMap<>();
    if (columns.isEmpty()) {
      rows.forEach(row -> all.put(row, new RowValues(row, new TreeMap<>())));
      return all;
    }
    List<Row> asked = List.copyOf(rows);
    if (asked.isEmpty()) {
      return all;
    }
    List<RowData> found = read(asked, columns);
    for (int i = 0; i < asked.size(); i++) {
      all.put(asked.get(i), Wire.values(asked.get(i), found.get(i).getColumnsList()));
    }
    return all;
  }

  private List<RowData> read(List<Row> rows, Collection<? extends Column<?>> columns) {
    ReadRequest.Builder request =
        ReadRequest.newBuilder().addAllColumns(Wire.columns(columns)).setAt(Long.toString(at));
    rows.forEach(row -> request.addRows(Wire.row(row)));
    ReadResponse answer = server.again(() -> server.rows().read(request.build()));
    return answer.getRowsList();
  }

  @Override
  public RowValues getRow(Row row, String... families) {
    RowValues all = Wire.values(row, read(List.of(row), List.of()).get(0).getColumnsList());
    return onlyOf(Set.of(families), all);
  }

  static RowValues onlyOf(Set<String> families, RowValues all) {
    TreeMap<io.braid.core.data.ColumnName, Bytes> some = new TreeMap<>(all.values());
    some.keySet().removeIf(column -> !families.contains(column.family()));
    return new RowValues(all.row(), some);
  }

  @Override
  public RowCursor scan(Scan scan) {
    return new StreamCursor(server, scan, at);
  }

  @Override
  public OptionalLong lastChanged(Row row, Column<?> column) {
    return lastChanged(server, row, column, at);
  }

  static OptionalLong lastChanged(Server server, Row row, Column<?> column, long at) {
    LastChangedRequest request =
        LastChangedRequest.newBuilder()
            .setRow(Wire.row(row))
            .setColumn(Wire.column(column.name()))
            .setAt(Long.toString(at))
            .build();
    LastChangedResponse answer = server.again(() -> server.rows().lastChanged(request));
    return answer.hasVersion() ? OptionalLong.of(answer.getVersion()) : OptionalLong.empty();
  }

  @Override
  public void close() {}
}
