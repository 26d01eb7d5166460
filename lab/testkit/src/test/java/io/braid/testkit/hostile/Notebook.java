package io.braid.testkit.hostile;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Codec;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A store in memory in which rows are lists of words, and the procedure that adds a word, once. An
 * argument is {@code row=word} or {@code row,row=word}.
 */
final class Notebook {
  static final String TABLE = "t";
  static final ColumnName WORDS = ColumnName.of("f", "words");
  static final Add ADD = new Add("add");
  static final Add OTHER = new Add("other");

  final MemoryStore memory =
      new MemoryStore(MemoryOptions.defaults().reach(MemoryStore.Reach.TABLET));

  /** Adds a word to the words of its rows, unless it is there. */
  static final class Add implements Procedure<String, String> {
    private final String name;

    Add(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public List<Row> rows(String argument) {
      return Stream.of(argument.split("=")[0].split(",")).map(Notebook::row).toList();
    }

    @Override
    public String run(RowAccess access, String argument) {
      String word = argument.split("=")[1];
      for (Row row : rows(argument)) {
        Cell cell = access.at(row, WORDS, 1);
        String before = cell == null ? "" : cell.value().toUtf8();
        if (!List.of(before.split(" ")).contains(word)) {
          access.put(row, WORDS, 1, Bytes.of(before.isEmpty() ? word : before + " " + word));
        }
      }
      return "added " + word;
    }

    @Override
    public Codec<String> argumentCodec() {
      return Codecs.utf8();
    }

    @Override
    public Codec<String> resultCodec() {
      return Codecs.utf8();
    }
  }

  Notebook() {
    memory.ensureTable(new TableSchema(TABLE, List.of(new FamilySchema("f", Kind.DATA))));
  }

  static Row row(String key) {
    return Row.of(TABLE, key);
  }

  static Outcome<String> add(CellStore store, String argument) {
    return store.execute(ADD, argument, Durability.BUFFERED);
  }

  static List<Outcome<String>> add(CellStore store, List<String> arguments) {
    return store.execute(ADD, arguments, Durability.BUFFERED);
  }

  /** Replaces the words of a row, blindly. */
  static Outcome<Void> write(CellStore store, String key, String words) {
    RowWrite write = RowWrite.put(row(key), new Cell(WORDS, 1, Bytes.of(words)));
    return store.write(List.of(write), Durability.BUFFERED).get(0);
  }

  /** The words of a row as they are, past all wrappers. */
  String words(String key) {
    List<Cell> cells = memory.read(RowRead.of(row(key), Selection.column(WORDS))).cells();
    return cells.isEmpty() ? "" : cells.get(0).value().toUtf8();
  }

  static ScanRequest everything() {
    return ScanRequest.of(TABLE, KeyRange.ALL, Selection.family("f"));
  }

  static List<String> keys(CellStore store) {
    List<String> keys = new ArrayList<>();
    try (RowScanner scanner = store.scan(everything())) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        keys.add(row.row().key().toUtf8());
      }
    }
    return keys;
  }
}
