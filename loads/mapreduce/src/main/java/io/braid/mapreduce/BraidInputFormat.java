package io.braid.mapreduce;

import io.braid.SharedBraid;
import io.braid.batch.engine.TableParts;
import io.braid.core.transaction.Snapshot;
import io.braid.view.Moment;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apiguardian.api.API;

/**
 * Reads a column of a table: the key of each row that has it, and its value, as text. All splits
 * are read at one snapshot. When its versions are collected before a split was read, the task fails
 * and says so: pin a snapshot for long jobs.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class BraidInputFormat extends InputFormat<Text, Text> {
  @Override
  public List<InputSplit> getSplits(JobContext context) {
    Configuration settings = context.getConfiguration();
    String table = BraidJob.required(settings, BraidJob.INPUT_TABLE);
    BraidJob.column(settings, BraidJob.INPUT_COLUMN);
    int most = settings.getInt(BraidJob.INPUT_SPLITS, Integer.MAX_VALUE);
    try (SharedBraid shared = BraidJob.open(settings);
        Snapshot snapshot = snapshot(shared, settings.get(BraidJob.INPUT_AS_OF, ""))) {
      shared.db().tables().families(table);
      return TableParts.of(shared.db().store(), table, BraidJob.range(settings), most).stream()
          .<InputSplit>map(
              part -> new TableSplit(part.range(), snapshot.timestamp(), part.server()))
          .toList();
    }
  }

  private static Snapshot snapshot(SharedBraid shared, String when) {
    return when.isEmpty() ? shared.db().snapshot() : Moment.open(shared.db(), when);
  }

  @Override
  public RecordReader<Text, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
    return new ColumnReader();
  }
}
