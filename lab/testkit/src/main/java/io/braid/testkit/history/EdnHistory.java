package io.braid.testkit.history;

import io.braid.testkit.history.HistoryEntry.Type;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A history of lists as Jepsen writes it, in EDN: one map in each line for each invocation and each
 * completion, in the order of their times. Elle judges it as {@code list-append}.
 */
public final class EdnHistory {
  private EdnHistory() {}

  private record Event(long nanos, boolean completion, HistoryEntry of) {}

  /**
   * Writes a history in EDN.
   *
   * @param history a file of this package's own format
   * @throws HistoryFormatException when the file is no history, or has other operations than those
   *     on lists
   */
  public static void write(Path history, Path edn) {
    List<Event> events = new ArrayList<>();
    for (HistoryEntry entry : HistoryReader.readAll(history)) {
      events.add(new Event(entry.start(), false, entry));
      // An unknown outcome has no bound for its end.
      events.add(new Event(entry.type() == Type.INFO ? Long.MAX_VALUE : entry.end(), true, entry));
    }
    // An operation that begins when another ends may have run at the same time.
    events.sort(Comparator.comparingLong(Event::nanos).thenComparing(Event::completion));
    long last = events.stream().mapToLong(each -> each.of.end()).max().orElse(0);
    try (BufferedWriter to = Files.newBufferedWriter(edn, StandardCharsets.UTF_8)) {
      for (int i = 0; i < events.size(); i++) {
        to.write(line(i, events.get(i), last));
        to.newLine();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The history cannot be written to " + edn + ".", e);
    }
  }

  private static String line(int index, Event event, long last) {
    String type = event.completion ? event.of.type().name().toLowerCase(Locale.ROOT) : "invoke";
    boolean known = event.completion && event.of.type() == Type.OK;
    return "{:index "
        + index
        + ", :type :"
        + type
        + ", :process "
        + event.of.process()
        + ", :time "
        + Math.min(event.nanos, last)
        + ", :f :txn, :value ["
        + event.of.ops().stream().map(op -> text(op, known)).collect(Collectors.joining(" "))
        + "]}";
  }

  private static String text(Op op, boolean known) {
    if (op instanceof Op.Append append) {
      return "[:append " + key(append.key()) + " " + append.value() + "]";
    }
    if (op instanceof Op.Read read) {
      return "[:r " + key(read.key()) + " " + (known ? read.values() : "nil") + "]";
    }
    throw new HistoryFormatException("Only histories of lists can be written in EDN: " + op + ".");
  }

  private static String key(String key) {
    return key.matches("0|[1-9][0-9]{0,17}")
        ? key
        : '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
