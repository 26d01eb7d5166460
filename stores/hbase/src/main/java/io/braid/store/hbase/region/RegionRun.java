package io.braid.store.hbase.region;

import io.braid.core.data.Row;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.Procedure;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.store.Veils;
import io.braid.store.hbase.wire.Reply.Item;
import io.braid.store.hbase.wire.Reply.Status;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.jspecify.annotations.Nullable;

/** One run of a procedure in a region, and its answer. */
final class RegionRun<A, R> {
  private final Procedure<A, R> procedure;
  private final A argument;
  private final List<Row> rows;
  private final RegionRows access;
  private final OpenRegion region;
  private @Nullable Item answer;
  private boolean wrote;

  RegionRun(OpenRegion region, Procedure<A, R> procedure, A argument) {
    this.procedure = procedure;
    this.argument = argument;
    rows = procedure.rows(argument);
    access = new RegionRows(region, Set.copyOf(rows), procedure.readOnly());
    this.region = region;
  }

  List<Row> rows() {
    return rows;
  }

  boolean answered() {
    return answer != null;
  }

  boolean wrote() {
    return wrote;
  }

  /**
   * Takes an answer back when another server may have had the region by then. The data that was
   * read may be old. The writes may be in a log that the other server has already read to its end.
   */
  void withhold() {
    if (answer().status() == Status.DONE) {
      answer = Item.of(wrote ? Status.UNKNOWN : Status.UNAVAILABLE, RegionCalls.NO_LEASE);
    }
  }

  void answer(Item item) {
    answer = item;
  }

  Item answer() {
    Item given = answer;
    if (given == null) {
      throw new IllegalStateException("The procedure " + procedure.name() + " was not run.");
    }
    return given;
  }

  void run() {
    try {
      region.checkSnapshot(procedure.snapshot(argument));
      // A procedure that excludes others has kept lifts out.
      Veils veils =
          procedure.excludesOthers(argument)
              ? region.veils().now()
              : region.veils().at(procedure.snapshot(argument));
      access.under(veils);
      R result = procedure.run(access, argument);
      answer =
          region.veils().isCurrent(veils)
              ? new Item(Status.DONE, procedure.resultCodec().encode(result))
              : Item.of(Status.UNAVAILABLE, "A load has begun.");
    } catch (TableReplacedException e) {
      answer = Item.of(e);
    } catch (UnknownTableException e) {
      answer = Item.of(Status.UNKNOWN_FAMILY, String.valueOf(e.getMessage()));
    } catch (ServerWatermark.StaleWatermarkException | TableVeils.ClosingException e) {
      answer = Item.of(Status.UNAVAILABLE, String.valueOf(e.getMessage()));
    } catch (UncheckedIOException e) {
      answer = Item.of(Status.UNAVAILABLE, String.valueOf(e.getMessage()));
    } catch (DamagedCellException e) {
      answer = Item.of(Status.DAMAGED, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      answer = Item.of(Status.THREW, procedure.name() + " failed: " + e);
    }
  }

  /** Adds what the run wrote, if it came to its end. */
  void addTo(List<Mutation> mutations, Durability durability) {
    if (answer().status() == Status.DONE) {
      int before = mutations.size();
      access.addTo(mutations, durability);
      wrote = mutations.size() > before;
    }
  }

  void applied() {
    access.applied();
  }

  void settle() {
    access.settle();
  }
}
