package io.braid.testkit.checker;

import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.Longs;
import io.braid.testkit.history.Op;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * Makes a legal append history illegal by one change; empty where the history has no place for it.
 */
enum Mutations {
  /** A failed transaction's append shows in the last read. */
  ABORTED_READ {
    @Override
    Optional<List<HistoryEntry>> apply(List<HistoryEntry> history, Random random) {
      return any(history, random, e -> e.type() == Type.FAIL && !appends(e).isEmpty())
          .map(failed -> appends(failed).get(0))
          .map(append -> inLastRead(history, append.key(), list -> list.plus(append.value())));
    }
  },
  /** An acknowledged append is gone in every read. */
  LOST_APPEND {
    @Override
    Optional<List<HistoryEntry>> apply(List<HistoryEntry> history, Random random) {
      return any(history, random, e -> e.type() == Type.OK && !appends(e).isEmpty())
          .map(writer -> appends(writer).get(0))
          .map(append -> inEveryRead(history, append.key(), list -> without(list, append.value())));
    }
  },
  /** The last read misses what the last writer of a key appended. */
  STALE_READ {
    @Override
    Optional<List<HistoryEntry>> apply(List<HistoryEntry> history, Random random) {
      return any(history, random, e -> e.type() == Type.OK && !appends(e).isEmpty())
          .map(writer -> appends(writer).get(0))
          .map(
              append ->
                  inLastRead(
                      history,
                      append.key(),
                      list -> list.first(Math.max(0, list.indexOf(append.value())))));
    }
  },
  /** The last read shows two values in the other order than somebody else. */
  REORDERED {
    @Override
    Optional<List<HistoryEntry>> apply(List<HistoryEntry> history, Random random) {
      return any(history, random, e -> e.type() == Type.OK && longestRead(e).values().size() > 1)
          .filter(e -> e != history.get(history.size() - 1))
          .map(Mutations::longestRead)
          .map(read -> inLastRead(history, read.key(), Mutations::swapFirstTwo));
    }
  },
  /** The last read shows a value twice. */
  DUPLICATE {
    @Override
    Optional<List<HistoryEntry>> apply(List<HistoryEntry> history, Random random) {
      return any(history, random, e -> e.type() == Type.OK && longestRead(e).values().size() > 0)
          .map(Mutations::longestRead)
          .map(read -> inLastRead(history, read.key(), list -> list.plus(read.values().at(0))));
    }
  },
  /** A writer that read what it appended to has missed the one before, who overlaps with it. */
  LOST_UPDATE {
    @Override
    Optional<List<HistoryEntry>> apply(List<HistoryEntry> history, Random random) {
      for (HistoryEntry writer : shuffled(history, random)) {
        for (int i = 0; writer.type() == Type.OK && i + 1 < writer.ops().size(); i++) {
          if (writer.ops().get(i) instanceof Op.Read read
              && read.values().size() > 0
              && writer.ops().get(i + 1) instanceof Op.Append append
              && append.key().equals(read.key())
              && firstAppendTo(writer, read.key()).equals(append)) {
            Op older = new Op.Read(read.key(), read.values().first(read.values().size() - 1));
            return Optional.of(replace(history, writer, withOp(withoutReads(writer), 0, older)));
          }
        }
      }
      return Optional.empty();
    }
  },
  /** A reader sees one of two appends of a transaction, to different keys, and not the other. */
  READ_SKEW {
    @Override
    Optional<List<HistoryEntry>> apply(List<HistoryEntry> history, Random random) {
      Optional<HistoryEntry> writer =
          any(
              history,
              random,
              e ->
                  e.type() == Type.OK
                      && appends(e).stream().map(Op.Append::key).distinct().count() > 1);
      return writer.map(
          w ->
              inLastRead(
                  history,
                  appends(w).get(0).key(),
                  list -> list.first(list.indexOf(appends(w).get(0).value()))));
    }
  };

  abstract Optional<List<HistoryEntry>> apply(List<HistoryEntry> history, Random random);

  private static Optional<HistoryEntry> any(
      List<HistoryEntry> history, Random random, java.util.function.Predicate<HistoryEntry> test) {
    return shuffled(history, random).stream().filter(test).findFirst();
  }

  private static List<HistoryEntry> shuffled(List<HistoryEntry> history, Random random) {
    List<HistoryEntry> shuffled = new ArrayList<>(history);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  private static List<Op.Append> appends(HistoryEntry entry) {
    return entry.ops().stream()
        .filter(Op.Append.class::isInstance)
        .map(Op.Append.class::cast)
        .toList();
  }

  private static Op.Append firstAppendTo(HistoryEntry entry, String key) {
    return appends(entry).stream().filter(a -> a.key().equals(key)).findFirst().orElseThrow();
  }

  private static Op.Read longestRead(HistoryEntry entry) {
    return entry.ops().stream()
        .filter(Op.Read.class::isInstance)
        .map(Op.Read.class::cast)
        .filter(read -> appends(entry).stream().noneMatch(a -> a.key().equals(read.key())))
        .max(java.util.Comparator.comparingInt(read -> read.values().size()))
        .orElse(new Op.Read("none", Longs.EMPTY));
  }

  private static List<HistoryEntry> inLastRead(
      List<HistoryEntry> history, String key, UnaryOperator<Longs> change) {
    HistoryEntry last = history.get(history.size() - 1);
    return replace(history, last, changeReads(last, key, change));
  }

  private static List<HistoryEntry> inEveryRead(
      List<HistoryEntry> history, String key, UnaryOperator<Longs> change) {
    return history.stream().map(entry -> changeReads(entry, key, change)).toList();
  }

  private static HistoryEntry changeReads(
      HistoryEntry entry, String key, UnaryOperator<Longs> change) {
    List<Op> ops =
        entry.ops().stream()
            .map(
                op ->
                    op instanceof Op.Read read && read.key().equals(key)
                        ? new Op.Read(key, change.apply(read.values()))
                        : op)
            .toList();
    return withOps(entry, ops);
  }

  private static HistoryEntry withoutReads(HistoryEntry entry) {
    return withOps(entry, entry.ops().stream().filter(op -> !(op instanceof Op.Read)).toList());
  }

  private static HistoryEntry withOp(HistoryEntry entry, int place, Op op) {
    List<Op> ops = new ArrayList<>(entry.ops());
    ops.add(place, op);
    return withOps(entry, ops);
  }

  private static HistoryEntry withOps(HistoryEntry entry, List<Op> ops) {
    return new HistoryEntry(
        entry.process(), entry.type(), entry.start(), entry.end(), ops, -1, -1, null);
  }

  private static List<HistoryEntry> replace(
      List<HistoryEntry> history, HistoryEntry old, HistoryEntry replacement) {
    return history.stream().map(entry -> entry == old ? replacement : entry).toList();
  }

  private static Longs without(Longs list, long value) {
    return Longs.copyOf(list.stream().filter(v -> v != value).toList());
  }

  private static Longs swapFirstTwo(Longs list) {
    List<Long> swapped = new ArrayList<>(list);
    Collections.swap(swapped, 0, 1);
    return Longs.copyOf(swapped);
  }
}
