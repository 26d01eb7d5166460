package io.braid.cli.shell;

import static io.braid.cli.shell.Verb.ANY;

import io.braid.cli.shell.Verb.Word;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The verbs that read and write rows. */
final class DataVerbs {
  private static final long DEFAULT_LIMIT = 100;

  private DataVerbs() {}

  static List<Verb> all() {
    return List.of(
        new Verb(
            "get",
            "TABLE ROW [COLUMN]... [as of WHEN]",
            "Shows a row.",
            2,
            ANY,
            List.of(Word.TABLE, Word.ROW, Word.COLUMN),
            DataVerbs::get),
        new Verb(
            "scan",
            "TABLE [PREFIX] [limit N] [as of WHEN]",
            "Shows rows whose keys begin with PREFIX.",
            1,
            2,
            List.of(Word.TABLE, Word.ROW),
            DataVerbs::scan),
        new Verb(
            "set",
            "TABLE ROW COLUMN VALUE [COLUMN VALUE]...",
            "Sets columns of a row.",
            4,
            ANY,
            List.of(Word.TABLE, Word.ROW, Word.COLUMN, Word.VALUE),
            DataVerbs::set),
        new Verb(
            "delete",
            "TABLE ROW COLUMN...",
            "Deletes columns of a row.",
            3,
            ANY,
            List.of(Word.TABLE, Word.ROW, Word.COLUMN),
            DataVerbs::delete));
  }

  private static Row row(Statement statement) {
    return Columns.row(statement.words().get(0), statement.words().get(1));
  }

  private static List<Column<String>> columns(Statement statement) {
    return statement.words().stream().skip(2).map(Columns::parse).toList();
  }

  private static void get(Session session, Statement statement) {
    Row row = row(statement);
    List<Column<String>> wanted = columns(statement);
    String[] families = session.db().tables().families(row.table()).toArray(String[]::new);
    RowValues values =
        session.read(
            statement.when(),
            reads -> wanted.isEmpty() ? reads.getRow(row, families) : reads.get(row, wanted));
    if (values.isEmpty()) {
      throw new BraidException(
          ErrorCode.NO_SUCH_VALUE, "Row " + Columns.show(row) + " has no such value.");
    }
    session.view().rows(List.of(values));
  }

  private static void scan(Session session, Statement statement) {
    String table = statement.words().get(0);
    String prefix = statement.words().size() > 1 ? statement.words().get(1) : "";
    long limit = statement.limit() == 0 ? DEFAULT_LIMIT : statement.limit();
    Scan scan = Scan.of(table).range(KeyRange.prefix(ByteText.parse(prefix))).limit(limit + 1);
    for (String family : session.db().tables().families(table)) {
      scan = scan.family(family);
    }
    Scan whole = scan;
    List<RowValues> rows = new ArrayList<>();
    boolean more =
        session.read(
            statement.when(),
            reads -> {
              try (RowCursor cursor = reads.scan(whole)) {
                while (rows.size() < limit && cursor.hasNext()) {
                  rows.add(cursor.next());
                }
                return cursor.hasNext();
              }
            });
    session.view().rows(rows);
    if (more) {
      session.view().remark("stopped after " + limit + " rows; 'limit N' shows more.");
    }
  }

  private static void set(Session session, Statement statement) {
    Row row = row(statement);
    List<String> words = statement.words();
    if (words.size() % 2 != 0) {
      throw new IllegalArgumentException("A value is missing: write COLUMN VALUE pairs.");
    }
    Map<Column<String>, String> values = new LinkedHashMap<>();
    for (int i = 2; i < words.size(); i += 2) {
      values.put(Columns.parse(words.get(i)), words.get(i + 1));
    }
    session.write(tx -> values.forEach((column, value) -> tx.set(row, column, value)));
  }

  private static void delete(Session session, Statement statement) {
    Row row = row(statement);
    List<Column<String>> columns = columns(statement);
    session.write(tx -> columns.forEach(column -> tx.delete(row, column)));
  }
}
