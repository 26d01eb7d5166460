package io.braid.testkit.checker;

import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryFormatException;
import io.braid.testkit.history.HistoryReader;
import io.braid.testkit.history.Op;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether a history is strong snapshot isolation: every transaction reads one snapshot,
 * which holds all transactions that had ended before it began; of two that overlap and write the
 * same, one fails; nothing of a failed transaction is ever seen; nothing acknowledged is ever lost.
 *
 * <p>Entries may come in any order, those of one kind only. Reads of lists are kept as lengths, so
 * a million transactions take about a gigabyte.
 */
public final class HistoryChecker {
  private final Map<HistoryEntry.Type, Long> types = new EnumMap<>(HistoryEntry.Type.class);
  private final Map<String, Long> operations = new TreeMap<>();
  private @Nullable HistoryKind kind;
  private HistoryKind.@Nullable Judge judge;

  private HistoryChecker() {}

  /**
   * Judges a file.
   *
   * @throws HistoryFormatException when it is no history
   */
  public static Verdict check(Path file) {
    try (HistoryReader reader = HistoryReader.open(file)) {
      HistoryChecker checker = new HistoryChecker();
      for (HistoryEntry entry = reader.next(); entry != null; entry = reader.next()) {
        checker.add(reader.line(), entry);
      }
      return checker.finish(reader.notices());
    }
  }

  /**
   * Judges entries; in the evidence they count from line 1.
   *
   * @throws HistoryFormatException when they are no history
   */
  public static Verdict check(Iterable<HistoryEntry> entries) {
    HistoryChecker checker = new HistoryChecker();
    long line = 0;
    for (HistoryEntry entry : entries) {
      checker.add(++line, entry);
    }
    return checker.finish(List.of());
  }

  private void add(long line, HistoryEntry entry) {
    types.merge(entry.type(), 1L, Long::sum);
    for (Op op : entry.ops()) {
      operations.merge(op.getClass().getSimpleName().toLowerCase(Locale.ROOT), 1L, Long::sum);
      checkKind(line, HistoryKind.of(op));
    }
    if (judge != null && !entry.ops().isEmpty()) {
      judge.add(line, entry);
    }
  }

  private void checkKind(long line, HistoryKind found) {
    if (kind == null) {
      kind = found;
      judge = found.newJudge();
    } else if (kind != found) {
      throw new HistoryFormatException(
          "Line " + line + " has operations of kind " + found + " in a history of kind " + kind);
    }
  }

  private Verdict finish(List<String> notices) {
    if (kind == null || judge == null) {
      throw new HistoryFormatException("The history holds no operation: nothing to judge.");
    }
    Findings findings = judge.finish();
    Map<String, Long> counts = new LinkedHashMap<>();
    for (HistoryEntry.Type type : HistoryEntry.Type.values()) {
      counts.put(type.name().toLowerCase(Locale.ROOT), types.getOrDefault(type, 0L));
    }
    counts.putAll(operations);
    return new Verdict(kind.toString(), counts, findings.counts(), findings.anomalies(), notices);
  }
}
