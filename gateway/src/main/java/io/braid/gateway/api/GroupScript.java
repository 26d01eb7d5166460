package io.braid.gateway.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.groups.Group;
import io.braid.groups.GroupTransaction;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.view.Columns;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Operations in one transaction of a group. What is read there still holds at its commit. */
final class GroupScript {
  private GroupScript() {}

  /**
   * Does them, all or none.
   *
   * @throws HttpRefusal when a condition does not hold
   * @throws IllegalArgumentException for an operation that groups do not have, or a row that is no
   *     member
   */
  static ObjectNode run(Group group, List<Operation> all) {
    requirePossible(all);
    return group.run(
        tx -> {
          ObjectNode answer = Json.object();
          ArrayNode results = Json.object().putArray("results");
          for (int i = 0; i < all.size(); i++) {
            run(tx, all.get(i), i, results.addObject());
          }
          answer.put("position", Long.toString(tx.commit()));
          answer.set("results", results);
          return answer;
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

  private static void run(GroupTransaction tx, Operation each, int index, ObjectNode result) {
    if (each instanceof Operation.Get get) {
      ObjectNode columns = result.putObject("columns");
      get.columns()
          .forEach(
              column ->
                  tx.get(get.row(), column)
                      .ifPresent(value -> Values.put(columns, Columns.show(column.name()), value)));
    } else if (each instanceof Operation.Set set) {
      set.columns().forEach((column, value) -> set(tx, set.row(), column, value));
    } else if (each instanceof Operation.Expect expect) {
      expect(tx, expect, index);
    }
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
