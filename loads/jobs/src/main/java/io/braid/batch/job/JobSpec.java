package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.mapping.Mapping;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a job; never changes.
 *
 * @param id chosen by the caller
 * @param inputs paths of files, in the order that counts for duplicates
 * @param start the job's timestamp: later commits of others are newer than the load
 * @param createdMillis since 1970
 */
@API(status = API.Status.EXPERIMENTAL)
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
   * Returns the name of the pin that keeps the versions that the job relies on. Jobs of other
   * directories may have the same id: the start timestamp tells them apart.
   */
  String pin() {
    return "load/" + id + "@" + start;
  }

  /**
   * Refuses to continue in another database: the output of the job is in its own database.
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
