package io.braid.tracing;

import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.ForwardingStore;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Tablet;
import io.braid.omid.rows.PostCommit;
import io.braid.percolator.rows.CommitRow;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A store whose calls are spans of the transaction in whose course they are made; other calls are
 * made without. Rows of a commit that are finished later, with those of other transactions in one
 * call, are a span of each of them.
 */
public final class TracedStore extends ForwardingStore {
  private final Tracing tracing;

  TracedStore(CellStore store, Tracing tracing) {
    super(store);
    this.tracing = tracing;
  }

  public CellStore untraced() {
    return store;
  }

  private static boolean traced() {
    return Span.current().isRecording();
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    if (!traced()) {
      return store.read(requests);
    }
    return tracing.in(
        "store.read",
        span -> {
          describe(span, requests.stream().map(RowRead::row).toList());
          return store.read(requests);
        });
  }

  @Override
  public RowCells read(RowRead request) {
    return traced() ? read(List.of(request)).get(0) : store.read(request);
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    if (!traced()) {
      return store.write(writes, durability);
    }
    return tracing.in(
        "store.write",
        span -> {
          describe(span, writes.stream().map(RowWrite::row).toList());
          return store.write(writes, durability);
        });
  }

  @Override
  public <A, R> Outcome<R> execute(Procedure<A, R> procedure, A argument, Durability durability) {
    return traced()
        ? execute(procedure, List.of(argument), durability).get(0)
        : store.execute(procedure, argument, durability);
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    if (!traced()) {
      return finish(procedure, arguments, durability);
    }
    return tracing.in(
        procedure.name(),
        span -> {
          describe(span, rows(procedure, arguments));
          List<Outcome<R>> outcomes = store.execute(procedure, arguments, durability);
          describe(span, outcomes, arguments.size());
          return outcomes;
        });
  }

  /**
   * Makes a call that is in the course of no transaction. Each traced transaction whose rows the
   * call finishes gets a span.
   */
  private <A, R> List<Outcome<R>> finish(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    Map<Context, List<A>> finished = new HashMap<>();
    for (A argument : arguments) {
      Context writer = tracing.writer(start(argument));
      if (writer != null) {
        finished.computeIfAbsent(writer, one -> new ArrayList<>()).add(argument);
      }
    }
    List<Span> spans = new ArrayList<>(finished.size());
    finished.forEach(
        (writer, own) -> {
          Span span = tracing.begin(procedure.name(), writer);
          describe(span, rows(procedure, own));
          span.setAttribute("braid.call.rows", arguments.size());
          spans.add(span);
        });
    try {
      return store.execute(procedure, arguments, durability);
    } catch (RuntimeException | Error e) {
      spans.forEach(span -> Tracing.failed(span, e));
      throw e;
    } finally {
      spans.forEach(Span::end);
    }
  }

  /** The transaction whose row is finished; 0 when it is something else. */
  private static long start(@Nullable Object argument) {
    if (argument instanceof CommitRow.Request row) {
      return row.start();
    }
    return argument instanceof PostCommit.Request row ? row.start() : 0;
  }

  private static <A> List<Row> rows(Procedure<A, ?> procedure, List<A> arguments) {
    return arguments.stream().flatMap(each -> procedure.rows(each).stream()).toList();
  }

  private void describe(Span span, List<Row> rows) {
    Map<String, List<Row>> tables = rows.stream().collect(Collectors.groupingBy(Row::table));
    span.setAttribute("braid.rows", rows.size());
    span.setAttribute("braid.tables", String.join(",", new TreeSet<>(tables.keySet())));
    long tablets = 0;
    for (Map.Entry<String, List<Row>> table : tables.entrySet()) {
      List<Tablet> all = store.tablets(table.getKey());
      Set<String> met =
          table.getValue().stream()
              .flatMap(row -> all.stream().filter(each -> each.range().contains(row.key())))
              .map(Tablet::id)
              .collect(Collectors.toSet());
      tablets += met.size();
    }
    span.setAttribute("braid.tablets", tablets);
  }

  private static <R> void describe(Span span, List<Outcome<R>> outcomes, int asked) {
    long done = outcomes.stream().filter(each -> each instanceof Outcome.Done).count();
    if (done < asked) {
      span.setAttribute("braid.failed", asked - done);
    }
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    if (!traced()) {
      return store.scan(request);
    }
    Span span = tracing.begin("store.scan", Context.current());
    span.setAttribute("braid.tables", request.table());
    try {
      return new TracedScanner(store.scan(request), span);
    } catch (RuntimeException | Error e) {
      Tracing.failed(span, e);
      span.end();
      throw e;
    }
  }

  /** Lasts until it is closed. */
  private static final class TracedScanner implements RowScanner {
    private final RowScanner scanner;
    private final Span span;
    private long rows;

    TracedScanner(RowScanner scanner, Span span) {
      this.scanner = scanner;
      this.span = span;
    }

    @Override
    public @Nullable RowCells next() {
      RowCells row = scanner.next();
      rows += row == null ? 0 : 1;
      return row;
    }

    @Override
    public List<RowCells> nextRows(int most) {
      List<RowCells> next = scanner.nextRows(most);
      rows += next.size();
      return next;
    }

    @Override
    public void close() {
      span.setAttribute("braid.rows", rows).end();
      scanner.close();
    }
  }
}
