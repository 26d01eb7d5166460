package io.braid.benchmarks.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** The binding for YCSB, and its workloads with few operations. */
class YcsbTest {
  @TempDir Path dir;

  private BraidDb open(int operations) {
    Properties properties = new Properties();
    properties.setProperty(Target.DATA, dir.toString());
    properties.setProperty(BraidDb.OPERATIONS, Integer.toString(operations));
    BraidDb db = new BraidDb();
    db.setProperties(properties);
    db.init();
    return db;
  }

  private static Map<String, ByteIterator> values(String... fields) {
    Map<String, ByteIterator> values = new HashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      byte[] value = fields[i + 1].getBytes(StandardCharsets.UTF_8);
      values.put(fields[i], new ByteArrayByteIterator(value));
    }
    return values;
  }

  private static Map<String, String> read(BraidDb db, String key, @Nullable Set<String> fields) {
    Map<String, ByteIterator> read = new HashMap<>();
    db.read("usertable", key, fields, read);
    Map<String, String> text = new HashMap<>();
    read.forEach((field, value) -> text.put(field, value.toString()));
    return text;
  }

  @Test
  void recordsAreReadScannedUpdatedAndDeleted() {
    BraidDb db = open(1);
    assertThat(db.insert("usertable", "k1", values("a", "1", "b", "2"))).isEqualTo(Status.OK);
    assertThat(db.insert("usertable", "k2", values("a", "3"))).isEqualTo(Status.OK);
    assertThat(db.update("usertable", "k1", values("a", "9"))).isEqualTo(Status.OK);
    assertThat(read(db, "k1", null)).isEqualTo(Map.of("a", "9", "b", "2"));
    assertThat(read(db, "k1", Set.of("b"))).isEqualTo(Map.of("b", "2"));
    Vector<HashMap<String, ByteIterator>> scanned = new Vector<>();
    assertThat(db.scan("usertable", "k1", 10, null, scanned)).isEqualTo(Status.OK);
    assertThat(scanned).hasSize(2);
    assertThat(db.delete("usertable", "k1")).isEqualTo(Status.OK);
    assertThat(db.read("usertable", "k1", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    db.cleanup();
  }

  @Test
  void operationsOfATransactionCommitTogetherAndAConflictIsTold() {
    BraidDb one = open(2);
    BraidDb other = open(3);
    BraidDb reader = open(1);
    assertThat(one.update("usertable", "k", values("a", "1"))).isEqualTo(Status.OK);
    assertThat(read(reader, "k", null)).isEmpty();
    assertThat(other.read("usertable", "k", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    assertThat(other.update("usertable", "k", values("a", "2"))).isEqualTo(Status.OK);
    assertThat(one.update("usertable", "l", values("a", "1"))).isEqualTo(Status.OK);
    assertThat(other.update("usertable", "m", values("a", "2"))).isEqualTo(BraidDb.CONFLICT);
    assertThat(read(reader, "k", null)).isEqualTo(Map.of("a", "1"));
    assertThat(read(reader, "m", null)).isEmpty();
    one.update("usertable", "n", values("a", "3"));
    List.of(one, other).forEach(BraidDb::cleanup);
    assertThat(read(reader, "n", null)).isEqualTo(Map.of("a", "3"));
    reader.cleanup();
  }

  @Test
  void workloadsRunAgainstTheEmbeddedStoreAndAServer() throws Exception {
    StringWriter out = new StringWriter();
    String[] line = "--records 50 --operations 200 --threads 2 --workloads a,c,e".split(" ");
    int code = new CommandLine(new YcsbCommand()).setOut(new PrintWriter(out)).execute(line);
    assertThat(code).as(out.toString()).isZero();
    List<String> ran = new ArrayList<>();
    for (String each : out.toString().lines().toList()) {
      JsonNode figures = new ObjectMapper().readTree(each);
      ran.add(figures.path("target").asText() + " " + figures.path("workload").asText());
      assertThat(figures.path("operations").asInt()).isGreaterThanOrEqualTo(50);
      assertThat(figures.path("operations_per_second").asInt()).isPositive();
    }
    assertThat(ran)
        .containsExactly(
            "embedded load",
            "embedded a",
            "embedded c",
            "embedded e",
            "server load",
            "server a",
            "server c",
            "server e");
  }
}
