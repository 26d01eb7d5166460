package io.braid.groups;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A transaction in written form, so that it can be sent to the leader whole (section 5.3). Steps
 * run in their order, and each sees the writes of the steps before it. Numbers are encoded as in
 * {@link Codecs#int64}; a column without a value counts as 0.
 *
 * <pre>{@code
 * group.run(GroupScript.begin().atLeast(alice, chips, 5).add(alice, chips, -5).add(bob, chips, 5));
 * }</pre>
 */
@API(status = API.Status.STABLE)
public final class GroupScript {
  private static final int MOST_STEPS = 100_000;

  private final List<Step> steps = new ArrayList<>();

  /** The kind of a step. */
  enum Kind {
    GET,
    SET,
    DELETE,
    ADD,
    EXPECT,
    AT_LEAST
  }

  private record Step(Kind kind, Row row, ColumnName column, @Nullable Bytes value, long amount) {
    private void encode(Encoder to) {
      to.u8(kind.ordinal()).row(row).column(column).bool(value != null);
      if (value != null) {
        to.bytes(value);
      }
      to.int64(amount);
    }

    private static Step decode(Decoder from) {
      Kind kind = Kind.values()[from.count(Kind.values().length - 1)];
      Row row = from.row();
      ColumnName column = from.column();
      return new Step(kind, row, column, from.bool() ? from.bytes() : null, from.int64());
    }
  }

  /**
   * The result of a script.
   *
   * @param position of the commit in the group's history
   * @param values the values that GET found and ADD made, in their order; empty where there is no
   *     value
   */
  public record Result(long position, List<Optional<Bytes>> values) {
    public Result {
      values = List.copyOf(values);
    }

    /** A number that GET or ADD gave. */
    public long number(int index) {
      return values.get(index).map(Codecs.int64()::decode).orElse(0L);
    }
  }

  private GroupScript() {}

  /** A script without steps. */
  public static GroupScript begin() {
    return new GroupScript();
  }

  private GroupScript then(
      Kind kind, Row row, Column<?> column, @Nullable Bytes value, long amount) {
    steps.add(new Step(kind, row, column.name(), value, amount));
    return this;
  }

  /** Reads a column. */
  public GroupScript get(Row row, Column<?> column) {
    return then(Kind.GET, row, column, null, 0);
  }

  /** Writes a value. */
  public <T> GroupScript set(Row row, Column<T> column, T value) {
    return then(Kind.SET, row, column, column.encode(value), 0);
  }

  /** Deletes a value; does no harm where there is none. */
  public GroupScript delete(Row row, Column<?> column) {
    return then(Kind.DELETE, row, column, null, 0);
  }

  /** Adds to a number; the result has the sum. */
  public GroupScript add(Row row, Column<Long> column, long amount) {
    return then(Kind.ADD, row, column, null, amount);
  }

  /** Refuses the script unless the column has this value; null for none. */
  public <T> GroupScript expect(Row row, Column<T> column, @Nullable T value) {
    return then(Kind.EXPECT, row, column, value == null ? null : column.encode(value), 0);
  }

  /** Refuses the script unless the number is at least {@code least}. */
  public GroupScript atLeast(Row row, Column<Long> column, long least) {
    return then(Kind.AT_LEAST, row, column, null, least);
  }

  /** Runs it in a transaction, which it leaves to be committed. */
  public List<Optional<Bytes>> run(GroupTransaction tx) {
    List<Optional<Bytes>> values = new ArrayList<>();
    for (Step step : steps) {
      Column<Bytes> raw = new Column<>(step.column, Codecs.bytes());
      Column<Long> number = new Column<>(step.column, Codecs.int64());
      switch (step.kind) {
        case GET -> values.add(tx.get(step.row, raw));
        case SET -> tx.set(step.row, raw, step.value == null ? Bytes.EMPTY : step.value);
        case DELETE -> tx.delete(step.row, raw);
        case ADD -> {
          long sum = Math.addExact(tx.get(step.row, number).orElse(0L), step.amount);
          tx.set(step.row, number, sum);
          values.add(Optional.of(Codecs.int64().encode(sum)));
        }
        case EXPECT -> {
          if (!tx.get(step.row, raw).equals(Optional.ofNullable(step.value))) {
            throw refused(step.row + " " + step.column + " has another value than was expected.");
          }
        }
        case AT_LEAST -> {
          long found = tx.get(step.row, number).orElse(0L);
          if (found < step.amount) {
            throw refused(
                step.row + " " + step.column + " is " + found + ", less than " + step.amount + ".");
          }
        }
      }
    }
    return values;
  }

  /** The rows that it writes, one perhaps several times. */
  public List<Row> written() {
    return steps.stream()
        .filter(step -> step.kind == Kind.SET || step.kind == Kind.DELETE || step.kind == Kind.ADD)
        .map(step -> step.row)
        .toList();
  }

  public void encode(Encoder to) {
    Lists.encode(to, steps, Step::encode);
  }

  /**
   * Reads the output of {@link #encode encode}.
   *
   * @throws IllegalArgumentException when the bytes are no script
   */
  public static GroupScript decode(Decoder from) {
    GroupScript script = new GroupScript();
    script.steps.addAll(Lists.decode(from, Step::decode));
    if (script.steps.size() > MOST_STEPS) {
      throw new IllegalArgumentException("A script of more than " + MOST_STEPS + " steps.");
    }
    return script;
  }

  private static GroupException refused(String condition) {
    return new GroupException(
        ErrorCode.CONDITION_FAILED,
        "The script was refused: " + condition + " Nothing was written.",
        null);
  }
}
