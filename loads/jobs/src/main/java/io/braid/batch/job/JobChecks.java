package io.braid.batch.job;

import io.braid.batch.JobException;
import io.braid.batch.LoadContext;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.UnreadableInputException;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.reduce.Reducers;
import io.braid.core.store.TableSchema;
import io.braid.core.store.UnknownTableException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Conditions that must hold before a job is made, or continues. */
final class JobChecks {
  private JobChecks() {}

  static void requireReducer(LoadOptions options, Mapping mapping) {
    if (options.duplicates() == Duplicates.REDUCE) {
      Reducers.parse(options.reducer(), mapping);
    }
  }

  /**
   * Deletions below the low watermark may have been forgotten: a load by files that began earlier
   * would undo them. Other loads detect this row by row.
   */
  static void requireKept(LoadContext context, JobSpec spec) {
    if (spec.options().usesSnapshots() && context.store().watermark() > spec.start()) {
      throw new JobException(
          "Load " + spec.id() + " began below the low watermark: make another job.");
    }
  }

  /** Refuses a table that was created after the job: writes at the start of the job fail there. */
  static void requireSameTable(LoadContext context, JobSpec spec) {
    if (context.store().birth(spec.table()) > spec.start()) {
      throw new JobException(
          "Table "
              + spec.table()
              + " was created after load "
              + spec.id()
              + " began: make another job.");
    }
  }

  static void requireFamilies(LoadContext context, String table, Mapping mapping) {
    context.loadable().require(table);
    TableSchema schema =
        context
            .store()
            .table(table)
            .orElseThrow(
                () ->
                    new UnknownTableException("There is no table " + table + ": create it first."));
    Set<String> families =
        schema.families().stream().map(TableSchema.FamilySchema::name).collect(Collectors.toSet());
    for (String family : mapping.families()) {
      if (!families.contains(family)) {
        throw new UnknownTableException(
            "Table " + table + " has no family " + family + ": create it first.");
      }
    }
  }

  static List<InputFile> look(List<Path> paths) throws IOException {
    List<InputFile> files = new ArrayList<>();
    for (Path path : paths) {
      try {
        files.add(InputFile.of(path));
      } catch (UnreadableInputException e) {
        throw new JobException(String.valueOf(e.getMessage()), e);
      } catch (IOException e) {
        boolean bare = e instanceof AccessDeniedException denied && denied.getReason() == null;
        throw new JobException(
            "File " + path + " cannot be read: " + (bare ? "no permission." : e.getMessage()), e);
      }
    }
    return files;
  }

  /**
   * Refuses a retry whose records would follow records with the same key that came later in the
   * input.
   */
  static void requireRetryable(JobSpec spec) {
    if (!spec.options().mayRetry()) {
      throw new JobException(
          "A retry by "
              + spec.options().snapshot().algorithm().text()
              + " would write records over later ones with their key, or over what was reduced from"
              + " it. 'braid job commit "
              + spec.id()
              + "' goes without the records that remain; or cancel the job, mend them, and load"
              + " again.");
    }
  }

  /** Once it is decided that a load shall be visible without them, records are not tried again. */
  static void requireUndecided(JobSpec spec, JobState state) {
    if (state.phase() == JobState.Phase.STAGED) {
      throw new JobException(
          "Job "
              + spec.id()
              + " is being committed as it is: 'braid job resume "
              + spec.id()
              + "' takes it to its end, 'braid job cancel' gives it up.");
    }
  }

  /** Only a load that waits to be seen can be committed, and only as a whole. */
  static void requireWhole(JobSpec spec, JobState state) {
    if (!spec.options().whole()) {
      throw new JobException("Job " + spec.id() + " is not atomic: its records are visible.");
    }
    if (!isWhole(spec, state)) {
      throw new JobException(
          "Parts of the input are not done: 'braid job resume " + spec.id() + "' first.");
    }
  }

  /** Returns whether a load waits to be seen, with all of its input read. */
  static boolean isWhole(JobSpec spec, JobState state) {
    return spec.options().whole()
        && (state.phase() == JobState.Phase.REMAINDER || state.phase() == JobState.Phase.STAGED);
  }

  static void requireOpen(JobState state) {
    if (state.ended()) {
      throw new JobException(
          state.phase() == JobState.Phase.DONE
              ? "The job is done: there is nothing left to do."
              : "The job was cancelled: make another one.");
    }
  }
}
