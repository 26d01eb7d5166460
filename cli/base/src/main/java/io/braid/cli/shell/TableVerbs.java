package io.braid.cli.shell;

import static io.braid.cli.shell.Verb.ANY;

import io.braid.Braid;
import io.braid.cli.shell.Verb.Word;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.store.TableSchema;
import io.braid.core.transaction.Protocol;
import io.braid.view.Columns;
import io.braid.view.RowExplanation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The verbs of tables, and the look behind a row. */
final class TableVerbs {
  private static final int VERSIONS = 5;

  private TableVerbs() {}

  static List<Verb> all() {
    return List.of(
        new Verb(
            "tables", "", "Lists tables.", 0, 0, List.of(), (session, statement) -> list(session)),
        new Verb(
            "create",
            "TABLE FAMILY...",
            "Creates a table, or adds families to it.",
            2,
            ANY,
            List.of(Word.TABLE, Word.FAMILY),
            TableVerbs::create),
        new Verb(
            "drop",
            "TABLE",
            "Removes a table with all its data.",
            1,
            1,
            List.of(Word.TABLE),
            TableVerbs::drop),
        new Verb(
            "explain",
            "TABLE ROW [COLUMN]",
            "Tells who holds a row, its versions, and what is undecided.",
            2,
            3,
            List.of(Word.TABLE, Word.ROW, Word.COLUMN),
            TableVerbs::explain));
  }

  /** The tables of users. */
  static List<String> tables(Braid db) {
    return db.store().tables().stream()
        .map(TableSchema::name)
        .filter(name -> !name.startsWith("~"))
        .toList();
  }

  private static void list(Session session) {
    Braid db = session.db();
    session
        .view()
        .listing(
            List.of("table", "families", "protocol", "tablets"),
            tables(db).stream()
                .map(
                    table ->
                        List.of(
                            table,
                            String.join(", ", db.tables().families(table)),
                            db.tables().protocol(table).word(),
                            Integer.toString(db.store().tablets(table).size())))
                .toList());
  }

  /** As in "create orders lines", or "create orders lines protocol omid". */
  private static void create(Session session, Statement statement) {
    List<String> words = statement.words();
    String table = words.get(0);
    int n = words.size();
    if (n > 3 && words.get(n - 2).equalsIgnoreCase("protocol")) {
      Protocol protocol = protocol(words.get(n - 1));
      session.db().ensureTable(table, protocol, families(words.subList(1, n - 2)));
    } else {
      session.db().ensureTable(table, families(words.subList(1, n)));
    }
    session
        .view()
        .say(
            Map.of("table", table, "families", session.db().tables().families(table)),
            "Table "
                + table
                + " has the families "
                + String.join(", ", session.db().tables().families(table))
                + ".");
  }

  private static String[] families(List<String> words) {
    return words.toArray(String[]::new);
  }

  private static Protocol protocol(String word) {
    for (Protocol protocol : Protocol.values()) {
      if (protocol.word().equals(word.toLowerCase(Locale.ROOT))) {
        return protocol;
      }
    }
    throw new IllegalArgumentException("There is no protocol '" + word + "'.");
  }

  private static void drop(Session session, Statement statement) {
    String table = statement.words().get(0);
    if (session.db().store().table(table).isEmpty()) {
      throw new BraidException(ErrorCode.NO_SUCH_TABLE, "There is no table " + table + ".");
    }
    session.db().dropTable(table);
    session.view().say(Map.of("dropped", table), "Table " + table + " is gone.");
  }

  private static void explain(Session session, Statement statement) {
    Row row = Columns.row(statement.words().get(0), statement.words().get(1));
    Optional<Column<String>> column =
        statement.words().stream().skip(2).findFirst().map(Columns::parse);
    RowExplanation explanation =
        RowExplanation.of(session.db(), row, column.map(Column::name), VERSIONS);
    session
        .view()
        .remark(
            "Row "
                + Columns.show(row)
                + ", written by "
                + explanation.protocol()
                + ", in tablet "
                + explanation.tablet()
                + (explanation.isEmpty() ? ": nothing is there." : ""));
    List<List<String>> lines = new ArrayList<>();
    for (RowExplanation.Fact fact : explanation.facts()) {
      lines.add(
          List.of(
              fact.column(),
              fact.kind().name().toLowerCase(Locale.ROOT),
              Long.toString(fact.version()),
              fact.words(),
              fact.meaning()));
    }
    if (!lines.isEmpty()) {
      session.view().listing(List.of("column", "cell", "version", "holds", "meaning"), lines);
    }
  }
}
