package io.braid.benchmarks.ycsb;

import io.braid.client.OutcomeUnknownException;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Braid for YCSB. A record is a row. The fields of the record are columns of one family.
 * Properties:
 *
 * <ul>
 *   <li>{@code braid.data}, a directory that this process opens, or {@code braid.server}, the
 *       HOST:PORT of a server that answers gRPC.
 *   <li>{@code braid.operations}: how many consecutive operations of a thread form a transaction.
 *       The default is 1; then a read is a snapshot. The operation that commits reports a conflict,
 *       without a retry: YCSB does the counting.
 * </ul>
 */
public final class BraidDb extends DB {
  static final String OPERATIONS = "braid.operations";
  static final Status CONFLICT = new Status("CONFLICT", "Another transaction was first.");
  static final Status UNKNOWN = new Status("UNKNOWN", "It may have been done.");

  private @Nullable Target target;
  private @Nullable Transaction open;
  private int each = 1;
  private int done;

  @Override
  public void init() {
    each = Integer.parseInt(getProperties().getProperty(OPERATIONS, "1"));
    target = Target.take(getProperties(), getProperties().getProperty("table", "usertable"));
  }

  private Target target() {
    if (target == null) {
      throw new IllegalStateException("YCSB calls init first.");
    }
    return target;
  }

  private static Row row(String table, String key) {
    return Row.of(table, key);
  }

  private static Column<Bytes> column(String field) {
    return new Column<>(new ColumnName(Target.FAMILY, Bytes.of(field)), Codecs.bytes());
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return reading(
        reads -> {
          Row row = row(table, key);
          RowValues values =
              fields == null
                  ? reads.getRow(row, Target.FAMILY)
                  : reads.get(row, fields.stream().map(BraidDb::column).toList());
          copy(values, result);
          return values.isEmpty() ? Status.NOT_FOUND : Status.OK;
        });
  }

  private static void copy(RowValues values, Map<String, ByteIterator> to) {
    values
        .values()
        .forEach(
            (column, value) ->
                to.put(column.qualifier().toString(), new ByteArrayByteIterator(value.toArray())));
  }

  @Override
  public Status scan(
      String table,
      String from,
      int rows,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return reading(
        reads -> {
          Scan scan = Scan.of(table).range(new KeyRange(Bytes.of(from), null)).limit(rows);
          if (fields == null) {
            scan = scan.family(Target.FAMILY);
          } else {
            for (String field : fields) {
              scan = scan.column(column(field));
            }
          }
          try (RowCursor cursor = reads.scan(scan)) {
            while (cursor.hasNext()) {
              HashMap<String, ByteIterator> record = new HashMap<>();
              copy(cursor.next(), record);
              result.add(record);
            }
          }
          return Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return writing(
        tx ->
            values.forEach(
                (field, value) ->
                    tx.set(row(table, key), column(field), Bytes.wrap(value.toArray()))));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return update(table, key, values);
  }

  @Override
  public Status delete(String table, String key) {
    return writing(
        tx -> {
          Row row = row(table, key);
          tx.getRow(row, Target.FAMILY)
              .values()
              .keySet()
              .forEach(name -> tx.delete(row, new Column<>(name, Codecs.bytes())));
        });
  }

  private Status reading(Function<Snapshot, Status> read) {
    return told(
        () -> {
          if (each > 1) {
            Status status = read.apply(transaction());
            end(false);
            return status;
          }
          try (Snapshot now = target().snapshot()) {
            return read.apply(now);
          }
        });
  }

  private Status writing(Consumer<Transaction> write) {
    return told(
        () -> {
          write.accept(transaction());
          end(false);
          return Status.OK;
        });
  }

  private Transaction transaction() {
    if (open == null) {
      open = target().begin();
    }
    return open;
  }

  /** Ends an operation. Commits if it is the last of its transaction. */
  private void end(boolean all) {
    if (open != null && (++done >= each || all)) {
      done = 0;
      try (Transaction tx = open) {
        open = null;
        tx.commit();
      }
    }
  }

  private interface Operation {
    Status run();
  }

  private Status told(Operation operation) {
    try {
      return operation.run();
    } catch (ConflictException e) {
      return failed(CONFLICT);
    } catch (CommitOutcomeUnknownException | OutcomeUnknownException e) {
      return failed(UNKNOWN);
    } catch (RuntimeException e) {
      return failed(new Status("ERROR", e.toString()));
    }
  }

  private Status failed(Status status) {
    done = 0;
    if (open != null) {
      open.close();
      open = null;
    }
    return status;
  }

  /** Commits the open transaction and releases the database. */
  @Override
  public void cleanup() {
    told(
        () -> {
          end(true);
          return Status.OK;
        });
    if (target != null) {
      target.leave();
      target = null;
    }
  }
}
