package io.braid.batch.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.input.CsvText;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.input.RecordReader;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an export writes comes back as the same rows, or is refused. Fault 59. */
class RowTextTest {
  private static final Mapping FAMILY = Mapping.ofFamily(List.of("id"), "f");
  private static final Mapping TYPED =
      mapping(
          List.of("a", "b"),
          null,
          "text",
          new Mapping.Target("f:text", FieldType.TEXT),
          "raw",
          new Mapping.Target("f:raw", FieldType.BASE64),
          "n",
          new Mapping.Target("f:n", FieldType.INT64));

  private static final List<RecordFormat> FORMATS =
      List.of(RecordFormat.CSV, RecordFormat.JSON_LINES);

  @TempDir Path dir;
  private int files;

  private static Mapping mapping(List<String> key, @Nullable String family, Object... columns) {
    Map<String, Mapping.Target> targets = new LinkedHashMap<>();
    for (int i = 0; i < columns.length; i += 2) {
      targets.put((String) columns[i], (Mapping.Target) columns[i + 1]);
    }
    return new Mapping(key, "/", targets, family);
  }

  private static RowValues row(String key, Object... columns) {
    TreeMap<ColumnName, Bytes> values = new TreeMap<>();
    for (int i = 0; i < columns.length; i += 2) {
      Bytes value = columns[i + 1] instanceof Bytes bytes ? bytes : Bytes.of("" + columns[i + 1]);
      values.put(ColumnName.of("f", (String) columns[i]), value);
    }
    return new RowValues(Row.of("t", key), values);
  }

  private List<RowValues> back(Mapping mapping, RecordFormat format, List<RowValues> rows)
      throws IOException, RejectedException {
    RowText text = new RowText(mapping, format);
    StringBuilder all = new StringBuilder(text.header());
    rows.forEach(row -> all.append(text.line(row)));
    Path path = dir.resolve(++files + "." + format.suffix());
    InputFile file = InputFile.of(Files.writeString(path, all));
    RecordMapper mapper = new RecordMapper(mapping, file);
    List<RowValues> back = new ArrayList<>();
    try (RecordReader reader = file.read()) {
      for (RawRecord record = reader.next(); record != null; record = reader.next()) {
        RecordMapper.MappedRow mapped = mapper.map(record);
        back.add(new RowValues(new Row("t", mapped.key()), new TreeMap<>(mapped.values())));
      }
    }
    return back;
  }

  private static void refused(Mapping mapping, RecordFormat format, RowValues row, String why) {
    assertThatThrownBy(() -> new RowText(mapping, format).line(row))
        .isInstanceOf(UnwritableRowException.class)
        .hasMessageContaining(why);
  }

  /** Any text, line ends of all kinds among it, comes back or is refused. */
  @Test
  void rowsComeBackAsTheyWere() {
    String[] pieces = {"", "a", "\n", "\r\n", "\r", "\"", ",", "é", " ", "\"\n", "/", "\\n"};
    int[] came = {0};
    Seeds.check(
        20,
        random -> {
          for (RecordFormat format : FORMATS) {
            List<RowValues> rows = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
              StringBuilder text = new StringBuilder();
              for (int n = random.nextInt(5); n > 0; n--) {
                text.append(pieces[random.nextInt(pieces.length)]);
              }
              RowValues row = row("k" + i + "/" + text, "text", text, "n", Bytes.ofLong(i));
              try {
                new RowText(TYPED, format).line(row);
                rows.add(row);
              } catch (IllegalArgumentException e) {
                assertThat(row.row().key().toUtf8()).matches("(?s).*/.*/.*|.*/");
              }
            }
            assertThat(back(TYPED, format, rows)).isEqualTo(rows);
            came[0] += rows.size();
          }
        });
    assertThat(came[0]).isGreaterThan(500);
  }

  @Test
  void aColumnWithTheNameOfAnotherFieldIsRefused() {
    refused(FAMILY, RecordFormat.JSON_LINES, row("k", "id", "other"), "f:id");
    Mapping renamed =
        mapping(List.of("id"), "f", "n", new Mapping.Target("f:name", FieldType.TEXT));
    refused(renamed, RecordFormat.JSON_LINES, row("k", "name", "1", "n", "2"), "f:n");
    refused(renamed, RecordFormat.JSON_LINES, row("k", "n", "2"), "f:n");
    RowValues odd =
        new RowValues(
            Row.of("t", "k"),
            new TreeMap<>(Map.of(new ColumnName("f", Bytes.ofInts(0xC3)), Bytes.of("v"))));
    refused(FAMILY, RecordFormat.JSON_LINES, odd, "is no text");
  }

  @Test
  void aKeyFieldThatIsAColumnTooMustAgree() throws Exception {
    Mapping twice = mapping(List.of("id"), null, "id", new Mapping.Target("f:id", FieldType.TEXT));
    for (RecordFormat format : FORMATS) {
      List<RowValues> same = List.of(row("k", "id", "k"));
      assertThat(back(twice, format, same)).isEqualTo(same);
      refused(twice, format, row("k", "id", "other"), "two values");
      refused(twice, format, row("k"), "has no f:id");
    }
  }

  @Test
  void csvRefusesWhatItCannotTellFromSomethingElse() throws Exception {
    refused(TYPED, RecordFormat.CSV, row("k/l", "n", Bytes.ofLong(1)), "has no f:text");
    refused(TYPED, RecordFormat.CSV, row("k/l", "text", "", "raw", ""), "has an empty f:raw");
    refused(TYPED, RecordFormat.CSV, row("k/", "text", "x"), "does not fit");
    RowValues longLines = row("k/l", "text", "x\n".repeat(CsvText.MOST_BYTES));
    refused(TYPED, RecordFormat.CSV, longLines, "too long for CSV");
    List<RowValues> fine =
        List.of(row("k/l", "n", Bytes.ofLong(1)), row("k/m", "text", "", "raw", ""), longLines);
    assertThat(back(TYPED, RecordFormat.JSON_LINES, fine)).isEqualTo(fine);
    List<RowValues> sparse = List.of(row("k/l", "text", ""), row("k/m", "text", "x"));
    assertThat(back(TYPED, RecordFormat.CSV, sparse)).isEqualTo(sparse);
  }
}
