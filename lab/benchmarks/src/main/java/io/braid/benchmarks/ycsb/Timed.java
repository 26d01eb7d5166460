package io.braid.benchmarks.ycsb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Times the operations of another binding and counts their results. */
final class Timed extends DB {
  private final DB inner;
  private final Figures figures;

  /** The figures of several threads. */
  static final class Figures {
    private final Map<String, Histogram> times = new ConcurrentHashMap<>();
    private final Map<String, Long> ends = new ConcurrentHashMap<>();

    /** Returns the nanoseconds, by the name of the operation. */
    Map<String, Histogram> times() {
      return times;
    }

    /** Returns the counts of the results, by the name of the status. */
    Map<String, Long> ends() {
      return ends;
    }
  }

  Timed(DB inner, Figures figures) {
    this.inner = inner;
    this.figures = figures;
    inner.setProperties(getProperties());
  }

  @Override
  public void init() throws DBException {
    inner.setProperties(getProperties());
    inner.init();
  }

  @Override
  public void cleanup() throws DBException {
    inner.cleanup();
  }

  private Status timed(String name, Supplier<Status> operation) {
    long begin = System.nanoTime();
    Status status = operation.get();
    figures
        .times
        .computeIfAbsent(name, one -> new ConcurrentHistogram(3))
        .recordValue(System.nanoTime() - begin);
    figures.ends.merge(status.getName(), 1L, Long::sum);
    return status;
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return timed("read", () -> inner.read(table, key, fields, result));
  }

  @Override
  public Status scan(
      String table,
      String from,
      int rows,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return timed("scan", () -> inner.scan(table, from, rows, fields, result));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return timed("update", () -> inner.update(table, key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return timed("insert", () -> inner.insert(table, key, values));
  }

  @Override
  public Status delete(String table, String key) {
    return timed("delete", () -> inner.delete(table, key));
  }
}
