package io.braid.batch.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.export.ContainerOutput;
import io.braid.batch.input.ContainerFormat;
import io.braid.batch.input.FilePlaces;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.input.RecordReader;
import io.braid.batch.input.UnreadableInputException;
import io.braid.batch.mapping.FieldType;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inputs and outputs in a file system of Hadoop. */
class HadoopPlacesTest {
  private static final String TEXT = "id,name\n1,Ann\n2,Ben\n3,Cia\n";

  @TempDir Path dir;

  private Path elsewhere(String name) {
    return FilePlaces.path("elsewhere://" + dir.resolve(name));
  }

  private static List<String> all(RecordReader reader) throws IOException {
    List<String> records = new ArrayList<>();
    try (reader) {
      for (RawRecord each = reader.next(); each != null; each = reader.next()) {
        records.add(each.bytes().toUtf8());
      }
    }
    return records;
  }

  @Test
  void textIsReadFromAnyPosition() throws IOException {
    Files.writeString(dir.resolve("in.csv"), TEXT);
    InputFile file = InputFile.of(elsewhere("in.csv"));
    assertThat(file.path()).isEqualTo("elsewhere://" + dir.resolve("in.csv"));
    assertThat(file.bytes()).isEqualTo(TEXT.length());
    assertThat(file.header()).containsExactly("id", "name");
    assertThat(file.divisible()).isTrue();
    assertThat(all(file.read())).containsExactly("1,Ann", "2,Ben", "3,Cia");
    assertThat(all(file.read(14, 20, 14))).containsExactly("2,Ben");
    file.requireUnchanged();
    Files.writeString(dir.resolve("in.csv"), TEXT + "4,Dan\n");
    assertThatThrownBy(file::requireUnchanged)
        .isInstanceOf(UnreadableInputException.class)
        .hasMessageContaining("has changed");
    assertThatThrownBy(() -> InputFile.of(elsewhere("none.csv")))
        .isInstanceOf(UnreadableInputException.class)
        .hasMessageContaining("There is no file");
  }

  /** Hadoop is there, and names a class for this scheme that is not. */
  @Test
  void whatIsMissingForAnObjectStoreIsSaid() {
    assertThatThrownBy(() -> FilePlaces.path("s3a://bucket/in.csv"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "'s3a://bucket/in.csv'",
            "hadoop-aws",
            "software.amazon.awssdk:bundle",
            "BRAID_CLASSPATH");
    assertThatThrownBy(() -> FilePlaces.path("s3://bucket/in.csv"))
        .hasMessageContaining("the scheme s3a");
    assertThatThrownBy(() -> FilePlaces.path("nowhere://bucket/in.csv"))
        .hasMessageContainingAll("what it needs for nowhere", "BRAID_CLASSPATH");
  }

  @Test
  void namesMayHoldBlanks() throws IOException {
    Files.writeString(dir.resolve("my in.csv"), TEXT);
    assertThat(all(InputFile.of(elsewhere("my in.csv")).read())).hasSize(3);
  }

  @Test
  void compressedTextIsRead() throws IOException {
    try (var out = new GZIPOutputStream(Files.newOutputStream(elsewhere("in.csv.gz")))) {
      out.write(TEXT.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    assertThat(all(InputFile.of(elsewhere("in.csv.gz")).read())).hasSize(3);
  }

  @Test
  void avroAndParquetAreWrittenJoinedAndRead() throws IOException {
    for (RecordFormat format : List.of(RecordFormat.AVRO, RecordFormat.PARQUET)) {
      ContainerOutput output = ContainerOutput.of(format);
      List<ContainerOutput.Field> fields =
          List.of(new ContainerOutput.Field("id", FieldType.INT64, true));
      List<Path> parts = new ArrayList<>();
      for (int part = 0; part < 2; part++) {
        Path path = elsewhere("part-" + part + "." + format.suffix());
        parts.add(path);
        try (ContainerOutput.Writer out = output.create(path, fields)) {
          for (long i = 0; i < 100; i++) {
            out.write(Map.of("id", part * 100 + i));
          }
        }
      }
      Path whole = elsewhere("whole." + format.suffix());
      output.join(whole, fields, parts);
      assertThat(ContainerFormat.of(format).fields(whole)).containsExactly("id");
      List<String> records = all(InputFile.of(whole).read());
      assertThat(records).hasSize(200).first().isEqualTo("{\"id\":0}");
      assertThat(records.get(199)).isEqualTo("{\"id\":199}");
    }
  }

  /** As an export makes its file appear. */
  @Test
  void filesAreMovedAndRemoved() throws IOException {
    Path fresh = elsewhere("out.csv.new");
    Files.writeString(dir.resolve("out.csv.new"), TEXT);
    Path target = fresh.resolveSibling("out.csv");
    assertThat(Files.exists(target)).isFalse();
    Files.move(fresh, target);
    assertThat(dir.resolve("out.csv")).hasContent(TEXT);
    assertThat(Files.size(target)).isEqualTo(TEXT.length());
    Files.writeString(dir.resolve("out.csv.new"), "other");
    assertThatThrownBy(() -> Files.move(fresh, target))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(Files.deleteIfExists(target)).isTrue();
    assertThat(Files.deleteIfExists(target)).isFalse();
    assertThatThrownBy(() -> Files.delete(target)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void addressesThatNothingReachesAreRefused() {
    assertThatThrownBy(() -> FilePlaces.path("nowhere://host/in.csv"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Hadoop's client");
    assertThat(FilePlaces.path("file:///tmp/in.csv")).isEqualTo(Path.of("/tmp/in.csv"));
    assertThat(FilePlaces.path("a:b.csv")).isEqualTo(Path.of("a:b.csv"));
    assertThat(FilePlaces.path("dir/in.csv")).isEqualTo(Path.of("dir/in.csv"));
  }
}
