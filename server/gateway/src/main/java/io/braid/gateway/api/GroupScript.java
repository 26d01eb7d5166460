package io.braid.gateway.api;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupTransaction;
import io.braid.http.HttpRefusal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Operations in one transaction of a group. Values read by the operations still hold at the commit.
 */
public final class GroupScript {
  private GroupScript() {}

  /**
   * The result of the operations.
   *
   * @param position in the history of the group
   */
  public record ScriptResult(long position, List<Result> results) {}

  /**
   * Does them, all or none.
   *
   * @throws HttpRefusal when a condition does not hold
   * @throws IllegalArgumentException for an operation that groups do not have, or a row that is no
   *     member
   */
  static ScriptResult run(Group group, List<Operation> all) {
    requirePossible(all);
    return group.run(
        tx -> {
          List<Result> results = new ArrayList<>();
          for (int i = 0; i < all.size(); i++) {
            results.add(run(tx, all.get(i), i));
          }
          return new ScriptResult(tx.commit(), results);
        });
  }

  private static void requirePossible(List<Operation> all) {
    for (int i = 0; i < all.size(); i++) {
      Operation each = all.get(i);
      boolean names = !(each instanceof Operation.Get get) || !get.columns().isEmpty();
      if (each instanceof Operation.Read || each instanceof Operation.Lock || !names) {
        throw new IllegalArgumentException(
            "Operation "
                + i
                + " (counted from 0): in a group there are get with columns, set, delete, expect.");
      }
    }
  }

  private static Result run(GroupTransaction tx, Operation each, int index) {
    if (each instanceof Operation.Get get) {
      Map<ColumnName, Bytes> columns = new LinkedHashMap<>();
      get.columns()
          .forEach(
              column ->
                  tx.get(get.row(), column).ifPresent(value -> columns.put(column.name(), value)));
      Result.takeRoom(Result.size(columns), columns.size());
      return new Result.Columns(columns);
    }
    if (each instanceof Operation.Set set) {
      set.columns().forEach((column, value) -> set(tx, set.row(), column, value));
    } else if (each instanceof Operation.Expect expect) {
      expect(tx, expect, index);
    }
    return Result.DONE;
  }

  private static void set(
      GroupTransaction tx, Row row, Column<Bytes> column, Optional<Bytes> value) {
    if (value.isPresent()) {
      tx.set(row, column, value.get());
    } else {
      tx.delete(row, column);
    }
  }

  private static void expect(GroupTransaction tx, Operation.Expect expect, int index) {
    for (Map.Entry<Column<Bytes>, Optional<Bytes>> each : expect.columns().entrySet()) {
      if (!tx.get(expect.row(), each.getKey()).equals(each.getValue())) {
        throw Operations.notAsExpected(expect.row(), each.getKey(), index);
      }
    }
  }
}
