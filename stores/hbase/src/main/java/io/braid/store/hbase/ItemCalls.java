package io.braid.store.hbase;

import io.braid.core.data.Row;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.Outcome;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.Reply;
import io.braid.store.hbase.wire.Reply.Item;
import io.braid.store.hbase.wire.Reply.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;

/**
 * Sends the items of one call to their regions, in parallel. When a region has moved or split, or
 * cannot answer at the moment, the items are sent again to the present region.
 *
 * <p>Invariant: an item of which a try went out and was not answered may have been executed. From
 * then on it ends with its result or as UNKNOWN, even if later tries are answered otherwise.
 */
final class ItemCalls {
  private static final int MOST_ITEMS = 1000;
  private static final long FIRST_PAUSE_NANOS = 5_000_000;
  private static final long LONGEST_PAUSE_NANOS = 500_000_000;

  /** Builds the call for some of the items. */
  interface Message extends BiFunction<String, List<Integer>, Call> {}

  private record Group(TableName table, String name, RegionInfo region, List<Integer> items) {}

  private record SentCall(Group group, Call call, CompletableFuture<Reply> reply) {}

  private final RegionClient regions;
  private final Tables tables;
  private final ClusterClock clock;
  private final HBaseOptions options;
  private final List<List<Row>> rows;
  private final Message message;
  private final @Nullable Item[] answers;
  private final boolean[] lost;

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
    this.lost = new boolean[rows.size()];
  }

  /** Returns the answers; null for an item whose rows are not together. */
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
      int before = open.size();
      open = round(open, again);
      if (open.size() < before) {
        // As when an answer was so long that the rest is left: that goes on as long as it takes.
        end = System.nanoTime() + options.patience().toNanos();
        pause = FIRST_PAUSE_NANOS;
      }
      if (open.isEmpty() || System.nanoTime() > end) {
        break;
      }
      Futures.pause(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      again = true;
    }
    for (int i = 0; i < answers.length; i++) {
      answers[i] = told(i);
    }
    return answers;
  }

  private @Nullable Item told(int item) {
    Item answer = answers[item];
    if (!lost[item] || (answer != null && answer.status() == Status.DONE)) {
      return answer;
    }
    return Item.of(
        Status.UNKNOWN,
        "A try of the call was not answered, and no other one was executed: "
            + (answer == null ? "the rows are not together any more." : answer.text()));
  }

  /** Which items have to be sent again. */
  private List<Integer> round(List<Integer> open, boolean again) {
    List<Integer> left = new ArrayList<>();
    List<SentCall> sent = new ArrayList<>();
    for (Group group : groups(open, again, left)) {
      byte[] row = HBaseNames.key(rows.get(group.items.get(0)).get(0).key());
      Call call = message.apply(group.name, group.items);
      sent.add(new SentCall(group, call, regions.send(group.table, group.region, row, call)));
    }
    sent.forEach(each -> receive(each, left));
    return left;
  }

  private List<Group> groups(List<Integer> open, boolean again, List<Integer> left) {
    Map<String, Group> filling = new LinkedHashMap<>();
    List<Group> groups = new ArrayList<>();
    for (int item : open) {
      Row first = rows.get(item).get(0);
      TableName table = tables.get(first.table()).name();
      RegionInfo region;
      try {
        region = region(table, first, again, filling.values());
      } catch (TabletUnavailableException e) {
        if (!again) {
          throw e;
        }
        answers[item] = Item.of(Status.UNAVAILABLE, String.valueOf(e.getMessage()));
        left.add(item);
        continue;
      }
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

  /** Returns the region of a row. A repeated attempt looks up each region only once. */
  private RegionInfo region(TableName table, Row row, boolean again, Collection<Group> found) {
    byte[] key = HBaseNames.key(row.key());
    for (Group each : again ? found : List.<Group>of()) {
      if (each.table.equals(table) && each.region.containsRow(key)) {
        return each.region;
      }
    }
    return regions.locate(table, row.key(), again).getRegion();
  }

  static boolean together(List<Row> rows, String table, RegionInfo region) {
    return rows.stream()
        .allMatch(
            row -> row.table().equals(table) && region.containsRow(HBaseNames.key(row.key())));
  }

  private void receive(SentCall sent, List<Integer> left) {
    Group group = sent.group;
    Reply reply;
    try {
      reply =
          Futures.await(sent.reply, options.patience().multipliedBy(2), "Calling " + group.region);
    } catch (StoreException e) {
      failed(sent, e, left);
      return;
    }
    if (reply.cold()) {
      clock.metCold();
    }
    Set<String> added = added(group.name, reply);
    for (int i = 0; i < group.items.size(); i++) {
      Item item = reply.items().get(i);
      answers[group.items.get(i)] = item;
      if (item.status() == Status.WRONG_REGION
          || item.status() == Status.UNAVAILABLE
          || (item.status() == Status.UNKNOWN_FAMILY && added.contains(item.text()))) {
        left.add(group.items.get(i));
      }
    }
  }

  /** Handles a group whose call was refused, or whose outcome is unknown. */
  private void failed(SentCall sent, StoreException failure, List<Integer> left) {
    if (failure instanceof UnknownTableException) {
      tables.look(sent.group.name);
    }
    boolean refused =
        failure instanceof UnknownTableException
            || failure.getCause() instanceof DoNotRetryIOException;
    List<Integer> items = sent.group.items;
    if (refused && items.stream().noneMatch(item -> lost[item])) {
      throw failure;
    }
    boolean unanswered =
        sent.call instanceof Call.Execute && !RegionClient.wasNotExecuted(failure) && !refused;
    for (int item : items) {
      lost[item] |= unanswered;
      answers[item] =
          Item.of(
              refused ? Status.UNKNOWN : Status.UNAVAILABLE, String.valueOf(failure.getMessage()));
    }
    if (!refused) {
      left.addAll(items);
    }
  }

  /**
   * Returns the answers that a region gives for unknown families, for all families that the table
   * has by now. Such a region has yet to open again with these families.
   */
  private Set<String> added(String table, Reply reply) {
    if (reply.items().stream().noneMatch(item -> item.status() == Status.UNKNOWN_FAMILY)) {
      return Set.of();
    }
    Tables.KnownTable now = tables.look(table);
    return now == null
        ? Set.of()
        : now.schema().families().stream()
            .map(family -> Reply.unknownFamily(table, family.name()))
            .collect(Collectors.toSet());
  }

  /** Returns the outcome of an item that did not end with a result. */
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
      case REPLACED -> throw item.replaced();
      case UNKNOWN_FAMILY -> throw new UnknownTableException(item.text());
      case DONE -> throw new IllegalStateException("There is a result.");
    };
  }
}
