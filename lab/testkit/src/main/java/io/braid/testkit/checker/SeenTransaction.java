package io.braid.testkit.checker;

import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.Longs;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of an append history, small enough to keep a million of them: a read of a list is
 * kept as the length of what others had appended.
 */
final class SeenTransaction {
  final long line;
  final long process;
  final HistoryEntry.Type type;
  final long start;
  final long end;

  /** Whether it may take effect in the past (Omid, section 2.2). */
  final boolean relaxed;

  /** Whether it took effect: acknowledged, or not known but seen by others. */
  boolean committed;

  /** Its number in the {@link EventGraph}. */
  int number = -1;

  /** Its steps, in order; only the appends if it did not commit. */
  List<Step> steps = new ArrayList<>(4);

  /** A step on one key. */
  sealed interface Step {
    ListKey key();
  }

  /** An append. */
  record AppendStep(Element element) implements Step {
    @Override
    public ListKey key() {
      return element.key;
    }
  }

  /**
   * A read of a version.
   *
   * @param version how many values of others it showed
   */
  record ReadStep(ListKey key, int version) implements Step {}

  /** A read that fits to nothing: kept as evidence. */
  record OddStep(ListKey key, Longs values) implements Step {}

  SeenTransaction(long line, HistoryEntry entry) {
    this.line = line;
    this.process = entry.process();
    this.type = entry.type();
    this.start = entry.start();
    this.end = entry.end();
    this.relaxed = entry.relaxed();
    this.committed = type == HistoryEntry.Type.OK;
  }

  /** The last value it appended to a key so far; null when there is none. */
  @Nullable Element lastAppend(ListKey key) {
    for (int i = steps.size() - 1; i >= 0; i--) {
      if (steps.get(i) instanceof AppendStep append && append.key() == key) {
        return append.element;
      }
    }
    return null;
  }

  /** Its name in evidence. */
  String name() {
    return "T" + line;
  }

  /** As evidence shows it: what it did to some keys. */
  String about(Collection<ListKey> keys) {
    List<String> parts = new ArrayList<>();
    List<Element> own = new ArrayList<>();
    for (Step step : steps) {
      if (step instanceof AppendStep append) {
        own.add(append.element);
      }
      if (keys.contains(step.key())) {
        parts.add(text(step, own));
      }
    }
    if (parts.size() < steps.size()) {
      parts.add("...");
    }
    return this + ": " + String.join(", ", parts);
  }

  String about(ListKey key) {
    return about(Set.of(key));
  }

  @Override
  public String toString() {
    String outcome = type == HistoryEntry.Type.OK ? "" : ", " + type;
    return name() + " (line " + line + ", process " + process + outcome + ")";
  }

  private static String text(Step step, List<Element> own) {
    String key = step.key().name;
    if (step instanceof AppendStep append) {
      return "append " + key + " " + append.element.value;
    }
    Longs values = step instanceof ReadStep read ? shown(read, own) : ((OddStep) step).values();
    return "r " + key + " " + text(values);
  }

  private static Longs shown(ReadStep read, List<Element> own) {
    Longs values = read.key.longest().first(read.version);
    for (Element element : own) {
      if (element.key == read.key) {
        values = values.plus(element.value);
      }
    }
    return values;
  }

  /** The list, only its end when it is long. */
  static String text(Longs values) {
    int shown = 6;
    if (values.size() <= 2 * shown) {
      return values.toString();
    }
    String tail = values.subList(values.size() - shown, values.size()).toString();
    return "[" + (values.size() - shown) + " more, " + tail.substring(1);
  }
}
