package io.braid.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Calls drawn at random are answered as a simple model answers them. */
interface ModelLaws extends StoreUnderTest {
  List<ColumnName> COLUMNS =
      List.of(
          DATA,
          OTHER,
          LARGE,
          SPARSE,
          ColumnName.of("d", ""),
          ColumnName.of("d", "q\0"),
          ColumnName.of("s", "qq"));

  @Test
  default void randomCallsAreAnsweredAsTheModelAnswersThem() {
    Seeds.check(
        times(10),
        random -> {
          store().dropTable(TABLE);
          store().ensureTable(SCHEMA);
          CellModel model = new CellModel();
          for (int call = 0; call < 150; call++) {
            call(random, model);
          }
        });
  }

  private void call(RandomGenerator random, CellModel model) {
    switch (random.nextInt(8)) {
      case 0, 1 -> blindWrite(random, model);
      case 2, 3 -> procedure(random, model);
      case 4, 5 -> readRows(random, model);
      case 6 -> scanRows(random, model);
      default -> store().splitTablet(TABLE, key(random));
    }
  }

  private void blindWrite(RandomGenerator random, CellModel model) {
    List<RowWrite> writes = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      Row row = Row.of(TABLE, key(random).concat(Bytes.ofInts(i)));
      Cell put = cell(random);
      Cell removed = cell(random);
      model.delete(row, removed.column(), removed.version());
      model.put(row, put);
      RowWrite.Removal removal = new RowWrite.Removal(removed.column(), removed.version());
      writes.add(new RowWrite(row, List.of(put), List.of(removal)));
    }
    write(writes.toArray(RowWrite[]::new));
  }

  private void procedure(RandomGenerator random, CellModel model) {
    Row row = Row.of(TABLE, key(random));
    Program program = Program.over(row);
    List<Runnable> effects = new ArrayList<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      Cell cell = cell(random);
      if (random.nextInt(3) == 0) {
        program = program.delete(row, cell.column(), cell.version());
        effects.add(() -> model.delete(row, cell.column(), cell.version()));
      } else {
        program = program.put(row, cell.column(), cell.version(), cell.value().toUtf8());
        effects.add(() -> model.put(row, cell));
      }
    }
    run(program);
    effects.forEach(Runnable::run);
  }

  private void readRows(RandomGenerator random, CellModel model) {
    List<RowRead> requests = new ArrayList<>();
    List<RowCells> expected = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      Row row = Row.of(TABLE, key(random));
      List<Selection> selections = selections(random);
      requests.add(new RowRead(row, selections, 0));
      expected.add(model.read(row, selections));
    }
    assertThat(store().read(requests)).isEqualTo(expected);
  }

  private void scanRows(RandomGenerator random, CellModel model) {
    KeyRange range = new KeyRange(key(random), random.nextInt(3) == 0 ? null : key(random));
    List<Selection> selections = selections(random);
    int batchRows = 1 + random.nextInt(5);
    List<RowCells> rows = new ArrayList<>();
    try (RowScanner scanner =
        store().scan(new ScanRequest(TABLE, range, selections, 0, batchRows))) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row);
      }
    }
    assertThat(rows).isEqualTo(model.scan(range, selections));
  }

  private static List<Selection> selections(RandomGenerator random) {
    List<Selection> selections = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      ColumnName column = COLUMNS.get(random.nextInt(COLUMNS.size()));
      long min = random.nextInt(6);
      long max = min + random.nextInt(6);
      Bytes qualifier = random.nextBoolean() ? column.qualifier() : null;
      selections.add(new Selection(column.family(), qualifier, min, max, 1 + random.nextInt(3)));
    }
    return selections;
  }

  private static Bytes key(RandomGenerator random) {
    int[] bytes = {0, 1, 'a', 0xFF};
    Bytes key = Bytes.EMPTY;
    for (int i = random.nextInt(3); i > 0; i--) {
      key = key.concat(Bytes.ofInts(bytes[random.nextInt(bytes.length)]));
    }
    return key;
  }

  private static Cell cell(RandomGenerator random) {
    ColumnName column = COLUMNS.get(random.nextInt(COLUMNS.size()));
    return StoreUnderTest.cell(column, random.nextInt(8), "v" + random.nextInt(1000));
  }
}
