package io.braid.cli.shell;

import io.braid.Braid;
import io.braid.cli.shell.Verb.Word;
import io.braid.core.data.KeyRange;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes a word: verbs, tables, keys of rows with the typed beginning, columns. */
final class Completion implements Completer {
  private static final int MOST_ROWS = 50;

  private final Braid db;
  private final Verbs verbs;

  Completion(Braid db, Verbs verbs) {
    this.db = db;
    this.verbs = verbs;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    List<String> before = line.words().subList(0, line.wordIndex());
    try {
      candidates(before, line.word()).map(Completion::candidate).forEach(candidates::add);
    } catch (RuntimeException e) {
      // There is nothing to offer: no such table, or the store does not answer.
    }
  }

  /** After a family its qualifier follows, without a blank. */
  private static Candidate candidate(String text) {
    return new Candidate(text, text, null, null, null, null, !text.endsWith(":"));
  }

  /**
   * Returns the words that may follow.
   *
   * @param before the words before, the verb first
   * @param begun the typed beginning of the next word
   */
  Stream<String> candidates(List<String> before, String begun) {
    if (before.isEmpty()) {
      return verbs.all().stream().map(Verb::name);
    }
    Verb verb = verbs.named(before.get(0));
    if (verb == null || verb.words().isEmpty()) {
      return Stream.empty();
    }
    return switch (word(verb, before.size() - 1)) {
      case TABLE -> TableVerbs.tables(db).stream();
      case VERB -> verbs.all().stream().map(Verb::name);
      case ROW -> rows(before.get(1), begun);
      case COLUMN -> columns(before.get(1), before.get(2));
      case FAMILY -> db.tables().families(before.get(1)).stream();
      case PIN -> Stream.concat(Stream.of("now"), pins());
      case MOMENT -> Stream.of("of");
      case VALUE -> Stream.empty();
    };
  }

  private static Word word(Verb verb, int position) {
    if (position < verb.words().size()) {
      return verb.words().get(position);
    }
    boolean pairs = verb.words().get(verb.words().size() - 1) == Word.VALUE;
    return pairs && position % 2 == 0 ? Word.COLUMN : verb.words().get(verb.words().size() - 1);
  }

  private Stream<String> pins() {
    return db.transactions().pins().stream().map(Transactions.Pin::name);
  }

  private Stream<String> rows(String table, String begun) {
    Scan scan = Scan.of(table).range(KeyRange.prefix(ByteText.parse(begun))).limit(MOST_ROWS);
    for (String family : db.tables().families(table)) {
      scan = scan.family(family);
    }
    TreeSet<String> keys = new TreeSet<>();
    try (Snapshot now = db.snapshot();
        RowCursor rows = now.scan(scan)) {
      rows.forEachRemaining(row -> keys.add(ByteText.show(row.row().key())));
    }
    return keys.stream();
  }

  private Stream<String> columns(String table, String row) {
    List<String> families = db.tables().families(table);
    try (Snapshot now = db.snapshot()) {
      List<String> there =
          now
              .getRow(Columns.row(table, row), families.toArray(String[]::new))
              .values()
              .keySet()
              .stream()
              .map(Columns::show)
              .toList();
      return Stream.concat(there.stream(), families.stream().map(family -> family + ":"));
    }
  }
}
