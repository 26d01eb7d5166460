package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.mapping.Mapping;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job shall do; never changes.
 *
 * @param id chosen by the caller
 * @param inputs paths of files, in the order that counts for duplicates
 * @param start the job's timestamp: what others commit after it is newer than the load
 * @param createdMillis since 1970
 */
public record JobSpec(
    String id,
    String table,
    List<String> inputs,
    Mapping mapping,
    LoadOptions options,
    long start,
    long createdMillis,
    @Nullable String database) {
  public JobSpec {
    inputs = List.copyOf(inputs);
  }

  /**
   * The name of the pin that keeps what the job relies on. Jobs of other directories may have the
   * same id: the start timestamp tells them apart.
   */
  String pin() {
    return "load/" + id + "@" + start;
  }

  /**
   * Refuses to go on in another database: what the job has done stands in its own.
   *
   * @param lineage of the database that is open
   */
  JobSpec requireOf(String lineage) {
    if (database != null && !database.equals(lineage)) {
      throw new JobException(
          "Job "
              + id
              + " was made in another database, or before this one was restored: go on with it"
              + " there, or make another job.");
    }
    return this;
  }

  JobSpec with(Mapping other) {
    return new JobSpec(id, table, inputs, other, options, start, createdMillis, database);
  }
}
