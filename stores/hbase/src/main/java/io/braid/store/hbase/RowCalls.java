package io.braid.store.hbase;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.TabletUnavailableException;
import io.braid.store.hbase.wire.BlindWrite;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.Cells;
import io.braid.store.hbase.wire.Reply.Item;
import io.braid.store.hbase.wire.Reply.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Reads, writes and procedures as calls to the regions of their rows ({@link ItemCalls}), and what
 * the answers amount to. A write is a procedure too.
 */
final class RowCalls {
  private static final BlindWrite WRITE = new BlindWrite();

  private final RegionClient regions;
  private final Tables tables;
  private final ClusterClock clock;
  private final HBaseOptions options;

  RowCalls(RegionClient regions, Tables tables, ClusterClock clock, HBaseOptions options) {
    this.regions = regions;
    this.tables = tables;
    this.clock = clock;
    this.options = options;
  }

  List<RowCells> read(List<RowRead> requests) {
    List<List<Row>> rows = new ArrayList<>(requests.size());
    for (RowRead request : requests) {
      tables.requireFamilies(request.row().table(), request.selections());
      rows.add(List.of(request.row()));
    }
    @Nullable Item[] answers =
        calls(
                rows,
                (table, items) -> new Call.Read(table, items.stream().map(requests::get).toList()))
            .run();
    List<RowCells> cells = new ArrayList<>(requests.size());
    for (int i = 0; i < answers.length; i++) {
      Item answer = answers[i];
      if (answer == null || answer.status() != Status.DONE) {
        Outcome<Void> outcome = ItemCalls.outcome(answer);
        throw new TabletUnavailableException("A row cannot be read: " + outcome);
      }
      cells.add(new RowCells(requests.get(i).row(), Cells.decode(answer.payload())));
    }
    return cells;
  }

  private ItemCalls calls(List<List<Row>> rows, ItemCalls.Message message) {
    return new ItemCalls(regions, tables, clock, options, rows, message);
  }

  List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    for (RowWrite write : writes) {
      Tables.KnownTable table = tables.get(write.row().table());
      write.puts().forEach(cell -> tables.requireFamily(table, cell.column().family()));
      write.removals().forEach(removal -> tables.requireFamily(table, removal.column().family()));
    }
    List<Outcome<Void>> outcomes = new ArrayList<>(writes.size());
    for (Outcome<Bytes> outcome : execute(WRITE, writes, durability)) {
      if (outcome instanceof Outcome.Done) {
        outcomes.add(Outcome.done());
      } else if (outcome instanceof Outcome.NotExecuted<Bytes> not) {
        outcomes.add(Outcome.notExecuted(not.reason(), not.detail()));
      } else if (outcome instanceof Outcome.Unknown<Bytes> unknown) {
        outcomes.add(Outcome.unknown(unknown.detail()));
      }
    }
    return outcomes;
  }

  <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    List<List<Row>> rows = arguments.stream().map(procedure::rows).toList();
    List<Bytes> encoded = arguments.stream().map(procedure.argumentCodec()::encode).toList();
    @Nullable Item[] answers =
        calls(
                rows,
                (table, items) ->
                    new Call.Execute(
                        table,
                        procedure.name(),
                        durability,
                        items.stream().map(encoded::get).toList()))
            .run();
    List<Outcome<R>> outcomes = new ArrayList<>(answers.length);
    for (Item answer : answers) {
      outcomes.add(
          answer != null && answer.status() == Status.DONE
              ? Outcome.done(procedure.resultCodec().decode(answer.payload()))
              : ItemCalls.outcome(answer));
    }
    return outcomes;
  }

  /** Whether rows lie in one region, as far as is known. */
  boolean together(Collection<Row> rows) {
    if (rows.isEmpty()) {
      return true;
    }
    rows.forEach(row -> tables.get(row.table()));
    Row first = rows.iterator().next();
    RegionInfo region =
        regions.locate(tables.get(first.table()).name(), first.key(), false).getRegion();
    return ItemCalls.together(List.copyOf(rows), first.table(), region);
  }
}
