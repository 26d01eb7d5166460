package io.braid.store.hbase;

import io.braid.store.hbase.wire.Call;
import io.braid.store.hbase.wire.Reply;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * Gathers small calls of one kind to one region: while some calls are out, calls of other threads
 * gather and share the next one. The cost of a call is its row locks, its sync of the log, and the
 * work of both ends for a message. The busier a region is, the more calls share this cost. No call
 * waits only to be joined by others.
 *
 * <p>Each item of a shared call has an answer of its own. If the call fails, all that share it
 * fail. Whether the call was executed is as unknown for each as it would be alone.
 *
 * <p>Nothing waits long behind a slow call, for example at a region that moves or for the lock of a
 * row. Calls that have gathered for a while are sent all the same.
 */
final class CallGathering {
  /** One that is worked on, and one on its way. */
  private static final int MOST_OUT = 2;

  private static final int MOST_ITEMS = 128;
  private static final int MOST_BYTES = 1 << 20;

  /** How calls are sent. */
  interface Sender {
    CompletableFuture<Reply> send(TableName table, byte[] row, Call call);
  }

  private record Kind(String region, String what) {}

  private record Part(Call call, byte[] row, CompletableFuture<Reply> reply) {}

  private static final class Lane {
    int out;
    boolean watched;
    final Deque<Part> waiting = new ArrayDeque<>();
  }

  private final Sender sender;
  private final Executor later;

  // Guarded by this.
  private final Map<Kind, Lane> lanes = new HashMap<>();

  CallGathering(Sender sender, Duration longestWait) {
    this(sender, CompletableFuture.delayedExecutor(longestWait.toNanos(), TimeUnit.NANOSECONDS));
  }

  /**
   * @param later runs something after the longest time that a call waits for others
   */
  CallGathering(Sender sender, Executor later) {
    this.sender = sender;
    this.later = later;
  }

  /**
   * Sends a call, or has it go with others.
   *
   * @param region its name
   * @param row one of the region's
   */
  CompletableFuture<Reply> send(TableName table, String region, byte[] row, Call call) {
    if (items(call) > MOST_ITEMS / 2 || bytes(call) > MOST_BYTES / 2) {
      return sender.send(table, row, call);
    }
    Kind kind = new Kind(region, what(call));
    Part part = new Part(call, row, new CompletableFuture<>());
    if (goesNow(table, kind, part)) {
      send(table, kind, List.of(part));
    }
    return part.reply;
  }

  /** How many calls wait for others to come back. */
  synchronized int waiting() {
    return lanes.values().stream().mapToInt(lane -> lane.waiting.size()).sum();
  }

  private synchronized boolean goesNow(TableName table, Kind kind, Part part) {
    Lane lane = lanes.computeIfAbsent(kind, each -> new Lane());
    if (lane.out < MOST_OUT) {
      lane.out++;
      return true;
    }
    lane.waiting.add(part);
    watch(table, kind, lane);
    return false;
  }

  private void watch(TableName table, Kind kind, Lane lane) {
    if (!lane.watched) {
      lane.watched = true;
      Part first = lane.waiting.element();
      later.execute(() -> waitedLong(table, kind, first));
    }
  }

  private void waitedLong(TableName table, Kind kind, Part first) {
    List<Part> parts;
    synchronized (this) {
      Lane lane = lanes.get(kind);
      if (lane == null) {
        return;
      }
      lane.watched = false;
      boolean waits = lane.waiting.peek() == first;
      if (!waits) {
        if (!lane.waiting.isEmpty()) {
          watch(table, kind, lane);
        }
        return;
      }
      lane.out++;
      parts = take(lane);
      if (!lane.waiting.isEmpty()) {
        watch(table, kind, lane);
      }
    }
    send(table, kind, parts);
  }

  private void send(TableName table, Kind kind, List<Part> parts) {
    CompletableFuture<Reply> reply;
    try {
      reply = sender.send(table, parts.get(0).row, together(parts));
    } catch (RuntimeException e) {
      reply = CompletableFuture.failedFuture(e);
    }
    reply.whenComplete(
        (answer, failure) -> {
          tell(parts, answer, failure);
          List<Part> next = next(kind);
          if (!next.isEmpty()) {
            send(table, kind, next);
          }
        });
  }

  private static void tell(List<Part> parts, @Nullable Reply answer, @Nullable Throwable failure) {
    int from = 0;
    for (Part part : parts) {
      if (answer == null) {
        part.reply.completeExceptionally(
            failure == null ? new IllegalStateException("No answer.") : failure);
      } else {
        int to = from + items(part.call);
        part.reply.complete(
            parts.size() == 1
                ? answer
                : new Reply(
                    answer.incarnation(),
                    answer.opened(),
                    answer.cold(),
                    answer.items().subList(from, to)));
        from = to;
      }
    }
  }

  /** Returns the calls that go out next in the place of a call that is back. */
  private synchronized List<Part> next(Kind kind) {
    Lane lane = lanes.get(kind);
    if (lane == null) {
      return List.of();
    }
    List<Part> parts = lane.out > MOST_OUT ? List.of() : take(lane);
    if (parts.isEmpty() && --lane.out == 0 && lane.waiting.isEmpty()) {
      lanes.remove(kind);
    }
    return parts;
  }

  private static List<Part> take(Lane lane) {
    List<Part> parts = new ArrayList<>();
    int items = 0;
    int bytes = 0;
    while (!lane.waiting.isEmpty()) {
      Part part = lane.waiting.element();
      items += items(part.call);
      bytes += bytes(part.call);
      if (!parts.isEmpty() && (items > MOST_ITEMS || bytes > MOST_BYTES)) {
        break;
      }
      parts.add(lane.waiting.remove());
    }
    return parts;
  }

  /** Calls that may share one. */
  private static String what(Call call) {
    return call instanceof Call.Execute execute
        ? execute.procedure() + " " + execute.durability()
        : "";
  }

  private static int items(Call call) {
    if (call instanceof Call.Execute execute) {
      return execute.arguments().size();
    }
    return call instanceof Call.Read read ? read.reads().size() : 1;
  }

  private static int bytes(Call call) {
    int bytes = 0;
    if (call instanceof Call.Execute execute) {
      for (var argument : execute.arguments()) {
        bytes += argument.length();
      }
    }
    return bytes;
  }

  private static Call together(List<Part> parts) {
    Call first = parts.get(0).call;
    if (parts.size() == 1) {
      return first;
    }
    if (first instanceof Call.Execute execute) {
      return new Call.Execute(
          execute.table(),
          execute.procedure(),
          execute.durability(),
          parts.stream().flatMap(part -> ((Call.Execute) part.call).arguments().stream()).toList());
    }
    return new Call.Read(
        first.table(),
        parts.stream().flatMap(part -> ((Call.Read) part.call).reads().stream()).toList());
  }
}
