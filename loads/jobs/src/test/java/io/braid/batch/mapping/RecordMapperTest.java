package io.braid.batch.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.FailureCode;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordReader;
import io.braid.batch.input.UnreadableInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is written that did not stand in the input: what cannot be told is rejected. */
class RecordMapperTest {
  private static final Mapping FAMILY = Mapping.ofFamily(List.of("id"), "f");

  @TempDir Path dir;
  private int files;

  private InputFile file(String suffix, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return InputFile.of(Files.write(dir.resolve(++files + suffix), bytes));
  }

  /** Each record as {@code KEY column=value}, or the code and why it is rejected. */
  private static List<String> read(Mapping mapping, InputFile file) throws IOException {
    RecordMapper mapper = new RecordMapper(mapping, file);
    List<String> all = new ArrayList<>();
    try (RecordReader reader = file.read()) {
      for (RawRecord record = reader.next(); record != null; record = reader.next()) {
        try {
          RecordMapper.MappedRow row = mapper.map(record);
          StringBuilder line = new StringBuilder(row.key().toUtf8());
          row.values().forEach((c, v) -> line.append(' ').append(c).append('=').append(v.toUtf8()));
          all.add(line.toString());
        } catch (RejectedException e) {
          all.add(e.code() + ": " + e.detail());
        }
      }
    }
    return all;
  }

  @Test
  void bytesThatAreNoTextAreRejected() throws IOException {
    // In Latin 1 two keys, which would become one.
    assertThat(read(FAMILY, file(".csv", "id,a\n\u00e9,1\n\u00e8,2\n3,\u00ff\n4,\u00c3\u00a9\n")))
        .containsExactly(
            "UNPARSABLE: It is not UTF-8.",
            "UNPARSABLE: It is not UTF-8.",
            "UNPARSABLE: It is not UTF-8.",
            "4 f:a=\u00e9");
    assertThat(
            read(FAMILY, file(".jsonl", "{\"id\":1,\"a\":\"\u00e9\"}\n{\"id\":2,\"a\":\"?\"}\n")))
        .containsExactly("UNPARSABLE: It is not UTF-8.", "2 f:a=?");
    assertThatThrownBy(() -> file(".csv", "id,\u00e9\n1,2\n"))
        .isInstanceOf(UnreadableInputException.class)
        .hasMessageContaining("It is not UTF-8");
  }

  @Test
  void whatStandsForABadCharacterMayStandInTheInput() throws IOException {
    assertThat(read(FAMILY, file(".csv", "id,a\n1,\u00ef\u00bf\u00bd\n")))
        .containsExactly("1 f:a=\uFFFD");
  }

  @Test
  void halvesOfCharactersAreRejected() throws IOException {
    assertThat(
            read(
                FAMILY,
                file(
                    ".jsonl",
                    "{\"id\":\"1\",\"a\":\"\\ud800\"}\n{\"id\":\"\\udc00\",\"a\":1}\n"
                        + "{\"id\":\"2\",\"\\ud800\":1}\n{\"id\":\"3\",\"a\":\"\\ud83d\\ude00\"}\n")))
        .extracting(each -> each.replaceAll(": (?s).*", ""))
        .containsExactly("WRONG_TYPE", "NO_KEY", "UNPARSABLE", "3 f:a=\uD83D\uDE00");
  }

  @Test
  void numbersOfJsonKeepTheirDigits() throws IOException {
    assertThat(
            read(
                FAMILY,
                file(
                    ".jsonl",
                    "{\"id\":1.50,\"a\":0.12345678901234567890123,\"b\":1e400,\"c\":1.10,\"d\":{\"x\":[1.10, 1e400,"
                        + " null, \"y\", {}]},\"e\":true,\"f\":null}\n")))
        .containsExactly(
            "1.50 f:a=0.12345678901234567890123 f:b=1e400 f:c=1.10"
                + " f:d={\"x\":[1.10,1e400,null,\"y\",{}]} f:e=true");
  }

  @Test
  void whatIsNoSingleObjectIsRejected() throws IOException {
    assertThat(
            read(
                FAMILY,
                file(
                    ".jsonl",
                    "{\"id\":1,\"a\":1,\"id\":2}\n{\"id\":1,\"a\":{\"x\":1,\"x\":2}}\n[{\"id\":1}]\nnull\n7\n"
                        + "{\"id\":1,\"a\":2} {}\n{\"id\":1,\"a\":2}}\n{\"id\":1,\"a\":\n\"id\"\n{\"id\":1,\"a\":NaN}\n  \n")))
        .hasSize(11)
        .allMatch(each -> each.startsWith(FailureCode.UNPARSABLE + ": "));
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstRecord() throws IOException {
    String mark = "\u00ef\u00bb\u00bf";
    assertThat(read(FAMILY, file(".csv", mark + "id,a\r\n1,2\r\n"))).containsExactly("1 f:a=2");
    assertThat(read(FAMILY, file(".jsonl", mark + "{\"id\":1,\"a\":2}\r\n{\"id\":2,\"a\":3}")))
        .containsExactly("1 f:a=2", "2 f:a=3");
  }

  @Test
  void aFieldThatIsUsedHasANameOfItsOwn() throws IOException {
    InputFile twice = file(".csv", "id,a,a,b\n1,2,3,4\n");
    assertThatThrownBy(() -> new RecordMapper(FAMILY, twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two fields 'a'");
    Mapping other =
        new Mapping(
            List.of("id"), "/", Map.of("b", new Mapping.Target("f:b", FieldType.TEXT)), null);
    assertThat(read(other, twice)).containsExactly("1 f:b=4");
  }

  @Test
  void keysOfSeveralFieldsCanBeTakenApartAgain() throws IOException {
    String text = "x,y,v\na/b,c,1\na,b/c,2\na,b,3\n";
    Map<String, Mapping.Target> v = Map.of("v", new Mapping.Target("f:v", FieldType.TEXT));
    assertThat(read(new Mapping(List.of("x", "y"), "/", v, null), file(".csv", text)))
        .satisfiesExactly(
            one -> assertThat(one).startsWith("NO_KEY").contains("'x'"),
            two -> assertThat(two).isEqualTo("a/b/c f:v=2"),
            three -> assertThat(three).isEqualTo("a/b f:v=3"));
    assertThat(
            read(
                new Mapping(List.of("x", "y"), "--", v, null),
                file(".csv", "x,y,v\na-,b,1\na,-b,2\n")))
        .satisfiesExactly(
            one -> assertThat(one).startsWith("NO_KEY"),
            two -> assertThat(two).isEqualTo("a---b f:v=2"));
    assertThat(read(new Mapping(List.of("x"), "/", v, null), file(".csv", text)))
        .containsExactly("a/b f:v=1", "a f:v=2", "a f:v=3");
  }
}
