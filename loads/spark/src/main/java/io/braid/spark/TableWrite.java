package io.braid.spark;

import io.braid.batch.JobException;
import io.braid.batch.engine.AttemptFiles;
import io.braid.batch.engine.EngineLoad;
import io.braid.batch.engine.EngineSnapshots;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A write: a load that becomes visible when the job commits, and leaves nothing otherwise. Attempts
 * of tasks write files. If the store can import the files, those of the attempts that Spark let
 * commit are imported at the end. Otherwise such an attempt stages the rows in its files.
 */
final class TableWrite implements WriteBuilder, Write, BatchWrite {
  private final TableSettings settings;
  private final StructType schema;
  private final String id;
  private @Nullable EngineSnapshots files;
  private @Nullable EngineLoad staged;
  private @Nullable TaggedJobs jobs;

  TableWrite(TableSettings settings, LogicalWriteInfo info) {
    this.settings = settings;
    this.schema = info.schema();
    this.id = "spark-" + info.queryId();
  }

  @Override
  public Write build() {
    return this;
  }

  @Override
  public String description() {
    return "braid " + settings.table() + (settings.stages() ? " staged" : " by files");
  }

  @Override
  public BatchWrite toBatch() {
    return this;
  }

  @Override
  public CustomMetric[] supportedCustomMetrics() {
    return new CustomMetric[] {new RowsWritten()};
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    Path directory = settings.directory(id);
    boolean stages = settings.stages();
    try {
      if (stages) {
        staged =
            EngineLoad.begin(
                settings.db().loads(),
                id,
                settings.table(),
                settings.conflicts(),
                Optional.of(directory));
      } else {
        files =
            EngineSnapshots.begin(
                settings.db().loads(), id, settings.table(), directory, settings.conflicts());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The write to " + directory + " cannot begin.", e);
    }
    // Spark starts the job of the write from this thread, once it has the factory.
    jobs = new TaggedJobs(SparkSession.active().sparkContext());
    jobs.begin();
    return new RowWriterFactory(settings, schema, id, directory.toString(), stages);
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    if (jobs != null) {
      jobs.over();
    }
    EngineLoad load = staged;
    EngineSnapshots snapshots = files;
    if (load != null) {
      load.commit();
      removeDirectory();
    } else if (snapshots != null) {
      List<AttemptFiles.WrittenFiles> written = new ArrayList<>();
      for (WriterCommitMessage message : messages) {
        if (message instanceof RowsCommitted rows) {
          written.add(rows.written());
        }
      }
      try {
        snapshots.commit(written);
      } catch (IOException e) {
        throw new UncheckedIOException("What tasks wrote cannot be imported.", e);
      }
    }
  }

  /**
   * Removes the directory. Attempts have removed their files; a lost attempt may have left some.
   */
  private void removeDirectory() {
    Path directory = settings.directory(id);
    try {
      Files.deleteIfExists(EngineSnapshots.files(directory));
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      // The files are useless, but do no harm.
    }
  }

  @Override
  public void abort(WriterCommitMessage[] messages) {
    EngineLoad load = staged;
    EngineSnapshots snapshots = files;
    boolean aborted = true;
    if (jobs != null) {
      jobs.over();
      jobs.end();
    }
    if (load != null) {
      aborted = load.abort();
      removeDirectory();
    } else if (snapshots != null) {
      try {
        aborted = snapshots.abort();
      } catch (IOException e) {
        throw new UncheckedIOException("Files of the write remain.", e);
      }
    }
    if (!aborted) {
      throw new JobException(
          "Write "
              + id
              + " is committed, though the answer did not come: its rows are visible. Do not run"
              + " the job again.");
    }
  }
}
