package io.braid.batch.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.batch.export.ContainerOutput;
import io.braid.batch.export.ContainerOutput.Field;
import io.braid.batch.input.ContainerFormat;
import io.braid.batch.input.ContainerFormat.PickedRecords;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordFormat;
import io.braid.batch.input.RecordReader;
import io.braid.batch.input.UnreadableInputException;
import io.braid.batch.mapping.FieldType;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.mapping.RowText;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of Avro and Parquet, and where they may be cut. */
class FormatsTest {
  private static final Schema PERSON =
      new Schema.Parser()
          .parse(
              """
              {"type":"record","name":"person","fields":[
                {"name":"id","type":"long"},
                {"name":"name","type":["null","string"]}]}
              """);

  @TempDir Path dir;

  private Path avro(CodecFactory codec, int records, int blockBytes) throws IOException {
    Path file = dir.resolve("in.avro");
    try (DataFileWriter<GenericRecord> out =
        new DataFileWriter<>(new GenericDatumWriter<>(PERSON))) {
      out.setCodec(codec).setSyncInterval(blockBytes).create(PERSON, file.toFile());
      for (int i = 0; i < records; i++) {
        out.append(person(i));
      }
    }
    return file;
  }

  private Path parquet(CompressionCodecName codec, int records, int groupBytes) throws IOException {
    Path file = dir.resolve("in-" + codec + ".parquet");
    try (ParquetWriter<GenericRecord> out =
        AvroParquetWriter.<GenericRecord>builder(new LocalOutputFile(file))
            .withSchema(PERSON)
            .withDataModel(GenericData.get())
            .withConf(new PlainParquetConfiguration())
            .withCodecFactory(new ParquetCodecs())
            .withCompressionCodec(codec)
            .withDictionaryEncoding(false)
            .withRowGroupSize((long) groupBytes)
            .withPageWriteChecksumEnabled(true)
            .withMinRowCountForPageSizeCheck(10)
            .build()) {
      for (int i = 0; i < records; i++) {
        out.write(person(i));
      }
    }
    return file;
  }

  private static GenericRecord person(int i) {
    GenericRecord person = new GenericData.Record(PERSON);
    person.put("id", (long) i);
    person.put("name", i % 3 == 0 ? null : "name " + new Random(i).nextLong());
    return person;
  }

  private static String json(int i) {
    String name = i % 3 == 0 ? "" : ",\"name\":\"name " + new Random(i).nextLong() + "\"";
    return "{\"id\":" + i + name + "}";
  }

  private static void requireAll(List<RawRecord> records, int count) {
    assertThat(records).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(records.get(i)).isEqualTo(new RawRecord(i, Bytes.of(json(i))));
    }
  }

  private static List<RawRecord> all(RecordReader reader) throws IOException {
    List<RawRecord> records = new ArrayList<>();
    try (reader) {
      for (RawRecord each = reader.next(); each != null; each = reader.next()) {
        assertThat(reader.position()).isEqualTo(each.offset() + 1);
        records.add(each);
      }
    }
    return records;
  }

  private static TreeMap<Long, Long> cuts(InputFile file) throws IOException {
    TreeMap<Long, Long> cuts = new TreeMap<>();
    try (RecordReader reader = file.read()) {
      for (RawRecord each = reader.next(); each != null; each = reader.next()) {
        if (reader.cut() != RecordReader.NO_CUT) {
          cuts.put(each.offset(), reader.cut());
        }
      }
    }
    return cuts;
  }

  /** Some of each part, as a job that divided the file at its cuts has them in its logs. */
  private void requireCopies(Path path) throws IOException {
    InputFile file = InputFile.of(path);
    TreeMap<Long, Long> cuts = cuts(file);
    List<PickedRecords> parts = new ArrayList<>();
    List<Bytes> expected = new ArrayList<>();
    for (Map.Entry<Long, Long> cut : cuts.entrySet()) {
      Long next = cuts.higherKey(cut.getKey());
      List<RawRecord> part =
          all(file.read(cut.getKey(), next == null ? Long.MAX_VALUE : next, cut.getValue()));
      List<RawRecord> some = part.stream().filter(each -> each.offset() % 7 == 2).toList();
      some.forEach(each -> expected.add(each.bytes()));
      TreeSet<Long> places = new TreeSet<>();
      some.forEach(each -> places.add(each.offset()));
      // The first part begins with the file.
      long at = parts.isEmpty() ? 0 : cut.getValue();
      parts.add(new PickedRecords(cut.getKey(), at, places));
    }
    Path copy = dir.resolve("copy." + file.format().suffix());

    ContainerFormat.of(file.format()).copy(path, parts, copy);

    assertThat(all(InputFile.of(copy).read()).stream().map(RawRecord::bytes))
        .containsExactlyElementsOf(expected);
    assertThat(expected).hasSizeGreaterThan(400);
    Files.delete(path);
    assertThatThrownBy(
            () -> ContainerFormat.of(file.format()).copy(path, parts, dir.resolve("none")))
        .isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "zstandard"})
  void recordsOfAvroAreCopiedAsTheyAre(String codec) throws IOException {
    requireCopies(avro(CodecFactory.fromString(codec), 3000, 2000));
  }

  @ParameterizedTest
  @EnumSource(
      value = CompressionCodecName.class,
      names = {"UNCOMPRESSED", "ZSTD"})
  void recordsOfParquetAreCopiedAsTheyAre(CompressionCodecName codec) throws IOException {
    requireCopies(parquet(codec, 3000, 8000));
  }

  /** What every reader finds that begins at a cut and ends at the next. */
  private static int requireCutsHold(Path path, int count) throws IOException {
    InputFile file = InputFile.of(path);
    assertThat(file.header()).containsExactly("id", "name");
    assertThat(file.divisible()).isFalse();
    TreeMap<Long, Long> cuts = cuts(file);
    List<RawRecord> records = new ArrayList<>();
    for (Map.Entry<Long, Long> cut : cuts.entrySet()) {
      Long next = cuts.higherKey(cut.getKey());
      records.addAll(
          all(file.read(cut.getKey(), next == null ? Long.MAX_VALUE : next, cut.getValue())));
    }
    requireAll(records, count);
    assertThat(new ArrayList<>(cuts.values())).isSorted();
    return cuts.size();
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "deflate", "snappy", "zstandard", "bzip2"})
  void avroIsReadFromEachOfItsBlocks(String codec) throws IOException {
    Path file = avro(CodecFactory.fromString(codec), 3000, 2000);
    assertThat(requireCutsHold(file, 3000)).isGreaterThan(20);
  }

  @ParameterizedTest
  @EnumSource(
      value = CompressionCodecName.class,
      names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
  void parquetIsReadFromEachOfItsRowGroups(CompressionCodecName codec) throws IOException {
    assertThat(requireCutsHold(parquet(codec, 3000, 8000), 3000)).isGreaterThan(4);
  }

  @Test
  void emptyFilesHaveNoRecords() throws IOException {
    assertThat(all(InputFile.of(avro(CodecFactory.nullCodec(), 0, 2000)).read())).isEmpty();
    Path parquet = parquet(CompressionCodecName.ZSTD, 0, 1000);
    assertThat(all(InputFile.of(parquet).read())).isEmpty();
  }

  /** The library itself takes the end of a block that is cut for the end of the file. */
  @Test
  void nothingOfADamagedFileIsPassedOver() throws IOException {
    Path avro = avro(CodecFactory.snappyCodec(), 3000, 2000);
    byte[] whole = Files.readAllBytes(avro);
    for (int cut = whole.length - 1; cut > whole.length - 1500; cut -= 37) {
      Files.write(avro, Arrays.copyOf(whole, cut));
      assertThatThrownBy(() -> all(InputFile.of(avro).read()))
          .isInstanceOf(UnreadableInputException.class);
    }
    Path parquet = parquet(CompressionCodecName.UNCOMPRESSED, 3000, 8000);
    requireDamageIsSeen(avro, whole);
    requireDamageIsSeen(parquet, Files.readAllBytes(parquet));
    Files.writeString(parquet, "no parquet at all");
    assertThatThrownBy(() -> InputFile.of(parquet))
        .isInstanceOf(UnreadableInputException.class)
        .hasMessageContaining("no readable Parquet file");
    Files.writeString(avro, "no avro");
    assertThatThrownBy(() -> InputFile.of(avro))
        .isInstanceOf(UnreadableInputException.class)
        .hasMessageContaining("no readable Avro file");
  }

  private static void requireDamageIsSeen(Path file, byte[] whole) throws IOException {
    Random random = new Random(3);
    for (int i = 0; i < 60; i++) {
      byte[] damaged = whole.clone();
      damaged[1000 + random.nextInt(whole.length / 2)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, damaged);
      List<RawRecord> read;
      try {
        read = all(InputFile.of(file).read());
      } catch (UnreadableInputException e) {
        continue;
      }
      requireAll(read, 3000);
    }
  }

  @Test
  void typesBecomeTextThatMappingsTake() throws IOException {
    Schema schema =
        new Schema.Parser()
            .parse(
                """
                {"type":"record","name":"all","fields":[
                  {"name":"i","type":"int"},
                  {"name":"f","type":"float"},
                  {"name":"d","type":"double"},
                  {"name":"b","type":"boolean"},
                  {"name":"x","type":"bytes"},
                  {"name":"e","type":{"type":"enum","name":"color","symbols":["RED","BLUE"]}},
                  {"name":"day","type":{"type":"int","logicalType":"date"}},
                  {"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},
                  {"name":"micros","type":{"type":"long","logicalType":"timestamp-micros"}},
                  {"name":"money","type":
                    {"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},
                  {"name":"list","type":{"type":"array","items":"long"}},
                  {"name":"map","type":{"type":"map","values":"string"}},
                  {"name":"inner","type":["null",{"type":"record","name":"in","fields":[
                    {"name":"a","type":"string"}]}]}]}
                """);
    GenericRecord record = new GenericData.Record(schema);
    record.put("i", -7);
    record.put("f", 1.1f);
    record.put("d", Double.NaN);
    record.put("b", true);
    record.put("x", ByteBuffer.wrap(new byte[] {0, (byte) 0xFF}));
    record.put("e", new GenericData.EnumSymbol(schema.getField("e").schema(), "BLUE"));
    record.put("day", 20_000);
    record.put("at", 1_700_000_000_123L);
    record.put("micros", -1L);
    record.put("money", ByteBuffer.wrap(new BigDecimal("-12.30").unscaledValue().toByteArray()));
    record.put("list", List.of(1L, 2L));
    record.put("map", Map.of("k", "v"));
    GenericRecord inner =
        new GenericData.Record(schema.getField("inner").schema().getTypes().get(1));
    inner.put("a", "deep");
    record.put("inner", inner);
    String expected =
        "{\"i\":-7,\"f\":1.1,\"d\":\"NaN\",\"b\":true,\"x\":\"AP8=\",\"e\":\"BLUE\","
            + "\"day\":\"2024-10-04\",\"at\":\"2023-11-14T22:13:20.123Z\","
            + "\"micros\":\"1969-12-31T23:59:59.999999Z\",\"money\":\"-12.30\",\"list\":[1,2],"
            + "\"map\":{\"k\":\"v\"},\"inner\":{\"a\":\"deep\"}}";
    assertThat(RecordJson.of(record).toUtf8()).isEqualTo(expected);

    Path file = dir.resolve("types.parquet");
    try (ParquetWriter<GenericRecord> out =
        AvroParquetWriter.<GenericRecord>builder(new LocalOutputFile(file))
            .withSchema(schema)
            .withDataModel(GenericData.get())
            .withConf(new PlainParquetConfiguration())
            .withCodecFactory(new ParquetCodecs())
            .build()) {
      out.write(record);
    }
    assertThat(all(InputFile.of(file).read()).get(0).bytes().toUtf8()).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(
      value = RecordFormat.class,
      names = {"AVRO", "PARQUET"})
  void partsAreJoinedAndReadAsOne(RecordFormat format) throws IOException {
    List<Field> fields =
        List.of(
            new Field("id", FieldType.TEXT, true),
            new Field("n", FieldType.INT64, false),
            new Field("x", FieldType.FLOAT64, false),
            new Field("ok", FieldType.BOOL, false),
            new Field("raw", FieldType.BASE64, false));
    ContainerOutput output = ContainerOutput.of(format);
    List<Path> parts = new ArrayList<>();
    for (int p = 0; p < 3; p++) {
      Path part = dir.resolve("part-" + p);
      parts.add(part);
      try (ContainerOutput.Writer writer = output.create(part, fields)) {
        for (int i = 0; p != 1 && i < 10; i++) {
          Map<String, Object> record = new LinkedHashMap<>();
          record.put("id", p + "-" + i);
          record.put("n", (long) i);
          if (i % 2 == 0) {
            record.put("x", i / 4.0);
            record.put("ok", i == 4);
            record.put("raw", Bytes.ofInts(0, i));
          }
          writer.write(record);
        }
      }
    }
    Path file = dir.resolve("all." + format.suffix());
    output.join(file, fields, parts);
    List<RawRecord> read = all(InputFile.of(file).read());
    assertThat(read).hasSize(20);
    assertThat(read.get(4).bytes().toUtf8())
        .isEqualTo("{\"id\":\"0-4\",\"n\":4,\"x\":1.0,\"ok\":true,\"raw\":\"AAQ=\"}");
    assertThat(read.get(15).bytes().toUtf8()).isEqualTo("{\"id\":\"2-5\",\"n\":5}");
    assertThatThrownBy(
            () -> output.create(file, List.of(new Field("a name", FieldType.TEXT, true))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a name'");
  }

  /** A key of digits that is a number too loses its zeros. */
  @Test
  void aKeyThatWouldComeBackAsAnotherIsNotExported() {
    Mapping mapping =
        new Mapping(
            List.of("id"), "/", Map.of("id", new Mapping.Target("f:id", FieldType.INT64)), null);
    RowText rows = new RowText(mapping, RecordFormat.PARQUET);
    TreeMap<ColumnName, Bytes> values = new TreeMap<>();
    values.put(new ColumnName("f", Bytes.of("id")), Codecs.int64().encode(7L));
    assertThat(rows.record(new RowValues(Row.of("t", "7"), values))).isEqualTo(Map.of("id", 7L));
    assertThatThrownBy(() -> rows.record(new RowValues(Row.of("t", "007"), values)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("would come back as another");
  }

  @Test
  void filesThatArePackedAsAWholeAreRefused() {
    assertThatThrownBy(() -> RecordFormat.of("people.avro.gz"))
        .hasMessageContaining("compressed inside");
  }
}
