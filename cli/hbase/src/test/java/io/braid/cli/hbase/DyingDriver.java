package io.braid.cli.hbase;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.batch.engine.EngineLoad;
import io.braid.batch.engine.TaskSink;
import io.braid.batch.rows.Conflicts;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import java.util.Map;

/** The driver of an engine's write that stages rows, says so, and never comes to commit them. */
public final class DyingDriver {
  static final String WRITE = "spark-1";
  static final String TABLE = "people";
  static final ColumnName NAME = ColumnName.of("info", "name");
  static final int ROWS = 500;

  private DyingDriver() {}

  static Bytes key(int i) {
    return Bytes.of(String.format("%05d", i));
  }

  /** With the site of a cluster. */
  public static void main(String[] args) throws InterruptedException {
    Braid db = Braid.connect(BraidConfig.defaults().with(Setting.HBASE_SITE, args[0]));
    EngineLoad load = EngineLoad.begin(db.loads(), WRITE, TABLE, Conflicts.NEWER);
    try (TaskSink sink = load.sink("task", 2)) {
      for (int i = 0; i < ROWS; i++) {
        sink.put(key(i), Map.of(NAME, Bytes.of("staged")));
      }
      sink.finish();
    }
    System.out.println("staged");
    Thread.sleep(Long.MAX_VALUE);
  }
}
