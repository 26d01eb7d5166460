package io.braid.client;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.rpc.v1.ExpectOperation;
import io.braid.rpc.v1.Operation;
import io.braid.rpc.v1.Result;
import io.braid.rpc.v1.SetOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A whole transaction that is sent at once: all of it is done, or nothing. Its steps are done in
 * their order. For one thread, and to be run once.
 *
 * <pre>{@code
 * db.script().expect(bob, usd, 10L).set(bob, usd, 7L).set(joe, usd, 3L).run();
 * }</pre>
 */
@API(status = API.Status.STABLE)
public final class ClientScript {
  private final Runner runner;
  private final List<Operation> operations = new ArrayList<>();
  private final List<Row> reads = new ArrayList<>();

  /** Does operations in one transaction. */
  interface Runner {
    Answer run(List<Operation> operations);
  }

  /** The answer to a script. */
  record Answer(long at, List<Result> results) {}

  /**
   * The outcome of a script.
   *
   * @param commit the commit timestamp; of a group, the position in its history
   * @param rows the row that each {@link #get get} read, in order; none if the script was sent
   *     twice and the server remembered only that it was done
   */
  public record Done(long commit, List<RowValues> rows) {}

  ClientScript(Runner runner) {
    this.runner = runner;
  }

  /** Reads columns of a row; all there are when none is named. {@link Done#rows} has them. */
  public ClientScript get(Row row, Column<?>... columns) {
    operations.add(Wire.get(row, List.of(columns)));
    reads.add(row);
    return this;
  }

  /** Writes a value. */
  public <T> ClientScript set(Row row, Column<T> column, T value) {
    return set(row, column.name(), Optional.of(column.encode(value)));
  }

  /** Deletes a value; does no harm where there is none. */
  public ClientScript delete(Row row, Column<?> column) {
    return set(row, column.name(), Optional.empty());
  }

  private ClientScript set(Row row, ColumnName column, Optional<Bytes> value) {
    operations.add(
        Operation.newBuilder()
            .setSet(
                SetOperation.newBuilder()
                    .setRow(Wire.row(row))
                    .addColumns(Wire.value(column, value)))
            .build());
    return this;
  }

  /** Goes on only if a column has this value, and still has it at the commit. */
  public <T> ClientScript expect(Row row, Column<T> column, T value) {
    return expect(row, column.name(), Optional.of(column.encode(value)));
  }

  /** Goes on only if a column has no value. */
  public ClientScript expectNone(Row row, Column<?> column) {
    return expect(row, column.name(), Optional.empty());
  }

  private ClientScript expect(Row row, ColumnName column, Optional<Bytes> value) {
    operations.add(
        Operation.newBuilder()
            .setExpect(
                ExpectOperation.newBuilder()
                    .setRow(Wire.row(row))
                    .addColumns(Wire.value(column, value)))
            .build());
    return this;
  }

  /**
   * Runs the script. A conflict does not repeat it.
   *
   * @throws RefusedException with the reason {@code CONDITION_FAILED} when a condition does not
   *     hold; nothing was written
   * @throws io.braid.core.transaction.ConflictException when others were first; nothing was written
   * @throws OutcomeUnknownException when its answer was lost for good
   */
  public Done run() {
    Answer answer = runner.run(operations);
    List<RowValues> rows = new ArrayList<>();
    for (int i = 0; i < answer.results().size(); i++) {
      if (operations.get(i).hasGet()) {
        rows.add(Wire.values(reads.get(rows.size()), answer.results().get(i).getColumnsList()));
      }
    }
    return new Done(answer.at(), rows);
  }
}
