package io.braid.groups.node;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowValues;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.groups.GroupTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A transaction at a leader in another process. It reads there and keeps its writes until the
 * commit. It has a connection of its own as long as it lasts.
 */
final class RemoteTransaction implements GroupTransaction {
  private final String group;
  private final Connections connections;
  private final NodeConnection connection;
  private final Map<Row, SortedMap<ColumnName, Optional<Bytes>>> writes = new TreeMap<>();
  private boolean ended;
  private boolean conflicted;

  RemoteTransaction(String group, Connections connections, NodeConnection connection) {
    this.group = group;
    this.connections = connections;
    this.connection = connection;
  }

  private Decoder ask(int kind, Consumer<Encoder> arguments) {
    try {
      return connection.call(kind, arguments);
    } catch (ConflictException e) {
      conflicted = true;
      end();
      throw e;
    } catch (NodeUnreachableException | GroupGoneException e) {
      end();
      throw new LeaderChangedException(group, e);
    }
  }

  private void end() {
    if (!ended) {
      ended = true;
      connections.giveBack(connection);
    }
  }

  private void requireActive() {
    if (ended) {
      throw new IllegalStateException("This transaction has ended: begin another.");
    }
  }

  private SortedMap<ColumnName, Optional<Bytes>> own(Row row) {
    return writes.computeIfAbsent(row, r -> new TreeMap<>());
  }

  @Override
  public <T> Optional<T> get(Row row, Column<T> column) {
    requireActive();
    Optional<Bytes> own = own(row).get(column.name());
    Optional<Bytes> value =
        own != null
            ? own
            : RemoteGroups.value(ask(Wire.GET, to -> to.row(row).column(column.name())));
    return value.map(column.codec()::decode);
  }

  @Override
  public RowValues getRow(Row row, String... families) {
    requireActive();
    Decoder from =
        ask(
            Wire.GET_ROW,
            to -> Lists.encode(to.row(row), List.of(families), (family, out) -> out.text(family)));
    SortedMap<ColumnName, Bytes> values = new TreeMap<>();
    Lists.decode(from, each -> Map.entry(each.column(), each.bytes()))
        .forEach(each -> values.put(each.getKey(), each.getValue()));
    own(row)
        .forEach(
            (column, value) -> {
              if (List.of(families).contains(column.family())) {
                value.ifPresentOrElse(v -> values.put(column, v), () -> values.remove(column));
              }
            });
    return new RowValues(row, values);
  }

  @Override
  public <T> void set(Row row, Column<T> column, T value) {
    requireActive();
    ColumnRules.check(row.table(), column.name());
    own(row).put(column.name(), Optional.of(column.encode(value)));
  }

  @Override
  public void delete(Row row, Column<?> column) {
    requireActive();
    ColumnRules.check(row.table(), column.name());
    own(row).put(column.name(), Optional.empty());
  }

  @Override
  public long commit() {
    requireActive();
    List<Wire.Change> changes = new ArrayList<>();
    writes.forEach(
        (row, columns) ->
            columns.forEach(
                (column, value) -> changes.add(new Wire.Change(row, column, value.orElse(null)))));
    try {
      return connection
          .call(Wire.COMMIT, to -> Lists.encode(to, changes, Wire.Change::encode))
          .varint();
    } catch (ConflictException e) {
      conflicted = true;
      throw e;
    } catch (GroupGoneException e) {
      throw new LeaderChangedException(group, e);
    } catch (NodeUnreachableException e) {
      if (changes.isEmpty()) {
        throw new LeaderChangedException(group, e);
      }
      throw GroupOutcomeUnknownException.noAnswer(group, e);
    } finally {
      end();
    }
  }

  @Override
  public void rollback() {
    if (!ended) {
      try {
        connection.call(Wire.ROLLBACK, to -> {});
      } catch (RuntimeException e) {
        connection.close();
      }
      end();
    }
  }

  @Override
  public boolean isActive() {
    return !ended;
  }

  @Override
  public boolean hasConflicted() {
    return conflicted;
  }

  @Override
  public void close() {
    rollback();
  }
}
