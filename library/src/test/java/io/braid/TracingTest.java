package io.braid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.groups.Group;
import io.braid.testkit.MemoryStore;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a trace of one transaction shows. */
class TracingTest {
  private static final Column<String> NAME = Column.of("info", "name", Codecs.utf8());
  private static final Row ANN = Row.of("people", "ann");
  private static final Row BOB = Row.of("people", "bob");

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .build();

  private Braid open(String onePhase) {
    Braid db =
        Braid.builder()
            .config(BraidConfig.defaults().with(Setting.ONE_PHASE, onePhase))
            .seams(new SystemSeams())
            .telemetry(telemetry)
            .over(new MemoryStore());
    db.ensureTable("people", "info");
    spans.reset();
    return db;
  }

  @AfterEach
  void end() {
    telemetry.close();
  }

  @Test
  void aTransactionShowsItsBeginReadsPrewriteAndCommitInOneTrace() {
    try (Braid db = open("off")) {
      db.run(
          tx -> {
            tx.get(ANN, NAME);
            tx.set(ANN, NAME, "Ann");
            tx.set(BOB, NAME, "Bob");
            return 0;
          });
    }
    // The database is closed, so all rows are finished.
    SpanData transaction = only("transaction");
    assertThat(transaction.getParentSpanId()).isEqualTo(SpanId.getInvalid());
    assertThat(text(transaction, "braid.outcome")).isEqualTo("committed");
    assertThat(count(transaction, "braid.commit")).isGreaterThan(count(transaction, "braid.start"));
    assertThat(children(transaction))
        .extracting(SpanData::getName)
        .containsExactlyInAnyOrder("begin", "read", "commit", "percolator.commit-row");
    assertThat(children(only("read")))
        .extracting(SpanData::getName)
        .containsExactly("percolator.snapshot-read");
    assertThat(children(only("commit")))
        .extracting(SpanData::getName)
        .contains("percolator.prewrite", "percolator.commit-primary");
    List<SpanData> prewrites = named("percolator.prewrite");
    assertThat(prewrites.stream().mapToLong(each -> count(each, "braid.rows")).sum()).isEqualTo(2);
    assertThat(prewrites)
        .allSatisfy(
            each -> {
              assertThat(count(each, "braid.tablets")).isEqualTo(1);
              assertThat(text(each, "braid.tables")).isEqualTo("people");
            });
    assertThat(trace(transaction)).hasSameSizeAs(spans.getFinishedSpanItems());
  }

  @Test
  void rowsThatAreFinishedTogetherShowInTheTraceOfEachTransaction() {
    try (Braid db = open("off")) {
      for (String name : List.of("x", "y", "z")) {
        db.run(
            tx -> {
              tx.set(Row.of("people", name), NAME, name);
              tx.set(Row.of("people", name + name), NAME, name);
              return 0;
            });
      }
    }
    Map<String, List<SpanData>> finished =
        named("percolator.commit-row").stream()
            .collect(Collectors.groupingBy(SpanData::getTraceId));
    assertThat(finished).hasSize(3);
    assertThat(finished.values())
        .allSatisfy(each -> assertThat(count(each.get(0), "braid.rows")).isEqualTo(1));
  }

  @Test
  void anOutcomeTellsAConflictAndNoKeysOrValues() {
    try (Braid db = open("store")) {
      try (Transaction late = db.begin()) {
        db.run(
            tx -> {
              tx.set(ANN, NAME, "first");
              return 0;
            });
        late.set(ANN, NAME, "second");
        assertThatThrownBy(late::commit).isInstanceOf(ConflictException.class);
      }
    }
    List<SpanData> transactions = named("transaction");
    assertThat(transactions)
        .extracting(each -> text(each, "braid.outcome"))
        .containsExactlyInAnyOrder("committed", "conflict");
    assertThat(spans.getFinishedSpanItems())
        .allSatisfy(each -> assertThat(each.toString()).doesNotContain("ann", "first", "second"));
  }

  @Test
  void aRolledBackTransactionAndASnapshotWithAScanAreWhole() {
    try (Braid db = open("store")) {
      try (Transaction tx = db.begin()) {
        tx.set(ANN, NAME, "Ann");
      }
      try (Snapshot now = db.snapshot();
          RowCursor rows = now.scan(Scan.of("people").family("info"))) {
        assertThat(rows.hasNext()).isFalse();
      }
    }
    assertThat(text(only("transaction"), "braid.outcome")).isEqualTo("rolled back");
    assertThat(children(only("snapshot")))
        .extracting(SpanData::getName)
        .containsExactlyInAnyOrder("begin", "scan");
    assertThat(children(only("scan"))).isNotEmpty();
  }

  @Test
  void theFastPathAndGroupsHaveSpansOfTheirOwn() {
    Row clicks = Row.of("counters", "clicks");
    Column<String> total = Column.of("n", "total", Codecs.utf8());
    try (Braid db = open("store")) {
      db.ensureTable("counters", Protocol.OMID, "n");
      long version = db.fast().write(clicks, total, "1");
      assertThat(db.fast().readVersion(clicks, total).version()).isEqualTo(version);
      assertThatThrownBy(() -> db.fast().writeIf(version - 1, clicks, total, "2"))
          .isInstanceOf(ConflictException.class);
      try (Group group = db.group(List.of(ANN, BOB))) {
        group.run(
            tx -> {
              tx.set(ANN, NAME, "Ann");
              return 0;
            });
      }
    }
    List<SpanData> writes = named("fast.write");
    assertThat(writes).hasSize(2);
    assertThat(text(writes.get(0), "braid.tables")).isEqualTo("counters");
    assertThat(count(writes.get(0), "braid.commit")).isPositive();
    assertThat(children(writes.get(0))).isNotEmpty();
    assertThat(writes.get(1).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(children(only("fast.read"))).isNotEmpty();
    assertThat(count(only("group.create"), "braid.rows")).isEqualTo(2);
    only("group.run");
    only("group.delete");
    assertThat(spans.getFinishedSpanItems())
        .allSatisfy(each -> assertThat(each.toString()).doesNotContain("clicks", "bob"));
  }

  private List<SpanData> named(String name) {
    return spans.getFinishedSpanItems().stream()
        .filter(each -> each.getName().equals(name))
        .toList();
  }

  private SpanData only(String name) {
    assertThat(named(name)).hasSize(1);
    return named(name).get(0);
  }

  private List<SpanData> children(SpanData parent) {
    return spans.getFinishedSpanItems().stream()
        .filter(each -> each.getParentSpanId().equals(parent.getSpanId()))
        .toList();
  }

  private List<SpanData> trace(SpanData one) {
    return spans.getFinishedSpanItems().stream()
        .filter(each -> each.getTraceId().equals(one.getTraceId()))
        .toList();
  }

  private static long count(SpanData span, String key) {
    Long count = span.getAttributes().get(AttributeKey.longKey(key));
    assertThat(count).as(key + " of " + span).isNotNull();
    return count;
  }

  private static String text(SpanData span, String key) {
    return span.getAttributes().get(AttributeKey.stringKey(key));
  }
}
