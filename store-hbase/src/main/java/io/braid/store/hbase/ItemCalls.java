package io.braid.store.hbase;

import io.braid.core.data.Row;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.Outcome;
import io.braid.core.store.StoreException;
import io.braid.core.store.UnknownTableException;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.Reply;
import io.braid.store.hbase.wire.Reply.Item;
import io.braid.store.hbase.wire.Reply.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the items of one call to their regions, in parallel, and again to where they are by now
 * when a region has moved or split or cannot answer at the moment.
 */
final class ItemCalls {
  private static final int MOST_ITEMS = 1000;
  private static final long FIRST_PAUSE_NANOS = 5_000_000;
  private static final long LONGEST_PAUSE_NANOS = 500_000_000;

  /** Builds the call for some of the items. */
  interface Message extends BiFunction<String, List<Integer>, Call> {}

  private record Group(TableName table, String name, RegionInfo region, List<Integer> items) {}

  private final RegionClient regions;
  private final Tables tables;
  private final ClusterClock clock;
  private final HBaseOptions options;
  private final List<List<Row>> rows;
  private final Message message;
  private final @Nullable Item[] answers;

  /**
   * @param rows of each item
   */
  ItemCalls(
      RegionClient regions,
      Tables tables,
      ClusterClock clock,
      HBaseOptions options,
      List<List<Row>> rows,
      Message message) {
    this.regions = regions;
    this.tables = tables;
    this.clock = clock;
    this.options = options;
    this.rows = rows;
    this.message = message;
    this.answers = new Item[rows.size()];
  }

  /** Null stands for an item whose rows are not together. */
  @Nullable Item[] run() {
    rows.forEach(each -> each.forEach(row -> tables.get(row.table())));
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      open.add(i);
    }
    long end = System.nanoTime() + options.patience().toNanos();
    long pause = FIRST_PAUSE_NANOS;
    boolean again = false;
    while (!open.isEmpty()) {
      open = round(open, again);
      if (open.isEmpty() || System.nanoTime() > end) {
        break;
      }
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      again = true;
    }
    return answers;
  }

  /** Which items have to be sent again. */
  private List<Integer> round(List<Integer> open, boolean again) {
    List<Group> groups = groups(open, again);
    List<CompletableFuture<Reply>> replies = new ArrayList<>(groups.size());
    for (Group group : groups) {
      byte[] row = HBaseNames.key(rows.get(group.items.get(0)).get(0).key());
      replies.add(regions.send(group.table, row, message.apply(group.name, group.items)));
    }
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      receive(groups.get(i), replies.get(i), left);
    }
    return left;
  }

  private List<Group> groups(List<Integer> open, boolean again) {
    Map<String, Group> filling = new LinkedHashMap<>();
    List<Group> groups = new ArrayList<>();
    for (int item : open) {
      Row first = rows.get(item).get(0);
      TableName table = tables.get(first.table()).name();
      RegionInfo region = regions.locate(table, first.key(), again).getRegion();
      if (!together(rows.get(item), first.table(), region)) {
        answers[item] = null;
        continue;
      }
      Group group = filling.get(region.getRegionNameAsString());
      if (group == null || group.items.size() == MOST_ITEMS) {
        group = new Group(table, first.table(), region, new ArrayList<>());
        filling.put(region.getRegionNameAsString(), group);
        groups.add(group);
      }
      group.items.add(item);
    }
    return groups;
  }

  static boolean together(List<Row> rows, String table, RegionInfo region) {
    return rows.stream()
        .allMatch(
            row -> row.table().equals(table) && region.containsRow(HBaseNames.key(row.key())));
  }

  private void receive(Group group, CompletableFuture<Reply> call, List<Integer> left) {
    Reply reply;
    try {
      reply = Futures.await(call, options.patience().multipliedBy(2), "Calling " + group.region);
    } catch (UnknownTableException e) {
      tables.look(group.name);
      throw e;
    } catch (StoreException e) {
      boolean refused =
          e.getCause() instanceof org.apache.hadoop.hbase.DoNotRetryIOException
              && !(e.getCause() instanceof TimeoutIOException);
      if (refused) {
        throw e;
      }
      Item unknown = Item.of(Status.UNKNOWN, String.valueOf(e.getMessage()));
      group.items.forEach(item -> answers[item] = unknown);
      return;
    }
    if (reply.cold()) {
      clock.metCold();
    }
    for (int i = 0; i < group.items.size(); i++) {
      Item item = reply.items().get(i);
      answers[group.items.get(i)] = item;
      if (item.status() == Status.WRONG_REGION || item.status() == Status.UNAVAILABLE) {
        left.add(group.items.get(i));
      }
    }
  }

  /** What an item that did not end with a result amounts to. */
  static <R extends @Nullable Object> Outcome<R> outcome(@Nullable Item item) {
    if (item == null) {
      return Outcome.notExecuted(
          Outcome.Reason.NOT_TOGETHER, "The rows lie in several regions or tables.");
    }
    return switch (item.status()) {
      case WRONG_REGION -> Outcome.notExecuted(Outcome.Reason.UNAVAILABLE, "The region moves.");
      case UNAVAILABLE -> Outcome.notExecuted(Outcome.Reason.UNAVAILABLE, item.text());
      case UNKNOWN -> Outcome.unknown(item.text());
      case THREW -> throw new StoreException(item.text());
      case DAMAGED -> throw new DamagedCellException(item.text());
      case UNKNOWN_FAMILY -> throw new UnknownTableException(item.text());
      case DONE -> throw new IllegalStateException("There is a result.");
    };
  }
}
