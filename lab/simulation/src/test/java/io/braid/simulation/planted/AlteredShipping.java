package io.braid.simulation.planted;

import io.braid.core.cells.HoldPass;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.Transactions;
import io.braid.groups.leader.GroupLeader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch of a group that reaches the store in another way than it should. */
abstract class AlteredShipping {
  private final Transactions transactions;
  private final HoldPass pass;
  private final List<Write> writes = new ArrayList<>();

  /** Something that is written; null deletes it. */
  record Write(Row row, Column<Object> column, @Nullable Object value) {}

  /** Makes one for each batch. */
  interface Of {
    AlteredShipping of(GroupLeader.Base base, HoldPass pass);
  }

  AlteredShipping(Transactions transactions, HoldPass pass) {
    this.transactions = transactions;
    this.pass = pass;
  }

  /**
   * Ships what was written.
   *
   * @param all the position in the history last
   */
  abstract long ship(List<Write> all);

  /** Commits some of it. */
  final long commit(List<Write> some) {
    if (some.isEmpty()) {
      return 0;
    }
    try (Transaction tx = transactions.begin(pass)) {
      for (Write each : some) {
        if (each.value == null) {
          tx.delete(each.row, each.column);
        } else {
          tx.set(each.row, each.column, each.value);
        }
      }
      return tx.commit();
    }
  }

  /** The transactions of a base, but for those that ship. */
  static Transactions transactions(GroupLeader.Base base, Of shipping) {
    Transactions honest = base.transactions();
    return (Transactions)
        Proxy.newProxyInstance(
            AlteredShipping.class.getClassLoader(),
            new Class<?>[] {Transactions.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("begin") && arguments != null) {
                return shipping.of(base, (HoldPass) arguments[0]).transaction();
              }
              try {
                return method.invoke(honest, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @SuppressWarnings("unchecked") // as the caller of set has it
  private Transaction transaction() {
    return (Transaction)
        Proxy.newProxyInstance(
            AlteredShipping.class.getClassLoader(),
            new Class<?>[] {Transaction.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "set" ->
                    writes.add(
                        new Write((Row) arguments[0], (Column<Object>) arguments[1], arguments[2]));
                case "delete" ->
                    writes.add(new Write((Row) arguments[0], (Column<Object>) arguments[1], null));
                case "commit" -> {
                  return ship(writes);
                }
                case "close", "rollback" -> writes.clear();
                default -> throw new UnsupportedOperationException(method.getName());
              }
              return null;
            });
  }
}
