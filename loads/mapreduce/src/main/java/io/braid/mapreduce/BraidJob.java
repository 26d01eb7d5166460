package io.braid.mapreduce;

import io.braid.SharedBraid;
import io.braid.batch.rows.Conflicts;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.view.Columns;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apiguardian.api.API;

/**
 * The settings of a job that reads by {@link BraidInputFormat} or writes by {@link
 * BraidOutputFormat}, with the words that a configuration file uses.
 *
 * <pre>{@code
 * Job job = Job.getInstance();
 * job.setInputFormatClass(BraidInputFormat.class);
 * job.getConfiguration().set(BraidJob.DATABASE, "hbase:braid.conf");
 * job.getConfiguration().set(BraidJob.INPUT_TABLE, "pages");
 * job.getConfiguration().set(BraidJob.INPUT_COLUMN, "content:text");
 * }</pre>
 */
@API(status = API.Status.EXPERIMENTAL)
public final class BraidJob {
  /** The place of the database: see {@link SharedBraid#of SharedBraid.of}. */
  public static final String DATABASE = "braid.database";

  /** The table that is read. */
  public static final String INPUT_TABLE = "braid.input.table";

  /** The column that is read, {@code FAMILY:QUALIFIER}. */
  public static final String INPUT_COLUMN = "braid.input.column";

  /** Only rows whose keys begin with this prefix. */
  public static final String INPUT_PREFIX = "braid.input.prefix";

  /** The moment that is read: a timestamp, a time, or the name of a pin; now if it is not set. */
  public static final String INPUT_AS_OF = "braid.input.as-of";

  /** The maximum number of splits; by default the number of tablets. */
  public static final String INPUT_SPLITS = "braid.input.splits";

  /** The table that is written. */
  public static final String OUTPUT_TABLE = "braid.output.table";

  /** The column that is written, {@code FAMILY:QUALIFIER}. */
  public static final String OUTPUT_COLUMN = "braid.output.column";

  /** The number of threads that write in each task; by default 4. */
  public static final String OUTPUT_WORKERS = "braid.output.workers";

  /**
   * The treatment of cells that others wrote since the job began: newer (they stay; the default),
   * load (the job's cells come above them) or fail.
   */
  public static final String OUTPUT_CONFLICTS = "braid.output.conflicts";

  /** The snapshot of the job, drawn when its splits are made. */
  static final String SNAPSHOT = "braid.input.snapshot";

  private BraidJob() {}

  static SharedBraid open(Configuration settings) {
    return SharedBraid.of(required(settings, DATABASE));
  }

  static String required(Configuration settings, String name) {
    String value = settings.get(name);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException("The job needs the setting " + name + ".");
    }
    return value;
  }

  static ColumnName column(Configuration settings, String name) {
    return Columns.parse(required(settings, name)).name();
  }

  static KeyRange range(Configuration settings) {
    return KeyRange.prefix(io.braid.core.data.Bytes.of(settings.get(INPUT_PREFIX, "")));
  }

  static Conflicts conflicts(Configuration settings) {
    String word = settings.get(OUTPUT_CONFLICTS, "newer");
    try {
      return Conflicts.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          OUTPUT_CONFLICTS + " is '" + word + "': use newer, load or fail.", e);
    }
  }
}
