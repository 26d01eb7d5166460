package io.braid.cli.observers;

import io.braid.Braid;
import io.braid.cli.command.Amount;
import io.braid.cli.command.DatabaseOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.cli.command.UsageException;
import io.braid.core.failure.ErrorCode;
import io.braid.observers.Backfill;
import io.braid.observers.ObserverOperations;
import io.braid.observers.ObserverStatus;
import io.braid.observers.rows.DeadLetter;
import io.braid.view.ByteText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows observers and their dead letters, and replays those. */
@Command(
    name = "observers",
    description = {
      "Shows, pauses, backfills and drops observers; replays dead letters.",
      "All verbs work on what the database holds and need no code of an observer. What they make"
          + " pending runs in the next process that has the code, or here with --run if it is the"
          + " web index's."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid observers list",
      "  braid observers dead-letters web.parse --json",
      "  braid observers replay count-words home --run",
      "  braid observers replay --all",
      "  braid observers pause count-words",
      "  braid observers backfill count-words",
      "  braid observers drop count-words"
    })
public final class ObserversCommand {

  @Command(
      name = "list",
      description = "Lists observers, pending rows, the age of the oldest, and dead letters.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {"  braid observers list", "  braid observers list --json"})
  int list(@Mixin DatabaseOptions database, @Mixin OutputOptions output) {
    try (Braid db = database.openExisting()) {
      List<ObserverStatus> all = db.observerOperations().list();
      if (all.isEmpty()) {
        output.err().println("braid: no observers are registered; an application registers them.");
      }
      all.forEach(
          status -> output.print(ObserverText.toObject(status), ObserverText.toText(status)));
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "dead-letters",
      description =
          "Lists dead letters: changes that an observer kept failing at, with the last error.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  braid observers dead-letters",
        "  braid observers dead-letters web.parse --json"
      })
  int deadLetters(
      @Parameters(
              paramLabel = "OBSERVER",
              arity = "0..1",
              description = "Only changes of this observer (default: of all).")
          @Nullable String observer,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output) {
    AtomicBoolean some = new AtomicBoolean();
    try (Braid db = database.openExisting()) {
      db.observerOperations()
          .forEachDeadLetter(
              Optional.ofNullable(observer),
              letter -> {
                some.set(true);
                print(output, letter);
              });
      if (!some.get()) {
        output.nothing("there are no dead letters.");
      }
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "replay",
      description = {
        "Makes dead-lettered changes pending again: one row's, all of an observer, or all.",
        "What fails again becomes a dead letter again. Needs no code, except that --run runs the web index's"
            + " observers here and waits until they are through."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  braid observers replay count-words home",
        "  braid observers replay web.parse",
        "  braid observers replay --all --run"
      })
  int replay(
      @Parameters(
              paramLabel = "OBSERVER",
              index = "0",
              arity = "0..1",
              description = "The observer; none with --all.")
          @Nullable String observer,
      @Parameters(
              paramLabel = "ROW",
              index = "1",
              arity = "0..1",
              description = "The key of one row (default: all rows of the observer).")
          @Nullable String row,
      @Option(names = "--all", description = "Replay the dead letters of all observers.")
          boolean all,
      @Mixin RunOption run,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output) {
    if (all == (observer != null)) {
      throw new UsageException("Name an observer, or give --all, but not both.");
    }
    try (Braid db = database.openExisting()) {
      run.begin(db);
      ObserverOperations operations = db.observerOperations();
      if (observer != null && row != null) {
        if (!operations.replay(observer, ByteText.parse(row))) {
          return output.refused(
              ErrorCode.NO_SUCH_VALUE,
              "observer " + observer + " has no dead letter on " + row + ".");
        }
        output.print(
            Map.of("replayed", 1, "observer", observer, "row", row), "Replayed 1 dead letter.");
      } else {
        long count = operations.replayAll(Optional.ofNullable(observer), change -> {});
        output.print(
            Map.of("replayed", count), "Replayed " + Amount.of(count, "dead letter") + ".");
      }
      return run.end(db, output);
    }
  }

  @Command(
      name = "pause",
      description = {
        "Pauses an observer in all processes, over restarts. Changes are kept for it; others go on.",
        "Needs no code."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid observers pause web.parse")
  int pause(
      @Parameters(paramLabel = "OBSERVER", description = "The observer.") String observer,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output) {
    try (Braid db = database.openExisting()) {
      db.observerOperations().pause(observer);
      output.print(
          Map.of("observer", observer, "paused", true), "Observer " + observer + " is paused.");
      return ExitCode.DONE;
    }
  }

  @Command(
      name = "resume",
      description = "Resumes a paused observer. Needs no code, except that --run runs it here.",
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid observers resume web.parse --run")
  int resume(
      @Parameters(paramLabel = "OBSERVER", description = "The observer.") String observer,
      @Mixin RunOption run,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output) {
    try (Braid db = database.openExisting()) {
      run.begin(db);
      db.observerOperations().resume(observer);
      output.print(
          Map.of("observer", observer, "paused", false), "Observer " + observer + " runs again.");
      return run.end(db, output);
    }
  }

  @Command(
      name = "backfill",
      description = {
        "Makes all rows pending that an observer has not run on, such as those that are older than"
            + " the observer. Goes on where it broke off; writers may go on meanwhile.",
        "Needs no code, except that --run runs the web index's observers here."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = {
        "  braid observers backfill web.parse --run",
        "  braid observers backfill counter --again --json"
      })
  int backfill(
      @Parameters(paramLabel = "OBSERVER", description = "The observer.") String observer,
      @Option(names = "--again", description = "Also if it has been done before.") boolean again,
      @Mixin RunOption run,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output) {
    try (Braid db = database.openExisting()) {
      run.begin(db);
      Backfill end;
      try (Progress progress = new Progress(output.err())) {
        end =
            db.observerOperations()
                .backfill(
                    observer,
                    again,
                    b -> progress.show("Looking at rows", b.rows(), b.rows(), "rows"));
      }
      output.print(
          ObserverText.toObject(observer, end),
          "Backfill of " + observer + ": " + ObserverText.toText(end) + ".");
      return run.end(db, output);
    }
  }

  @Command(
      name = "drop",
      description = {
        "Forgets an observer whose application is gone: changes are kept for it no longer.",
        "Needs no code. A process that still has it registers it again when it starts."
      },
      mixinStandardHelpOptions = true,
      footerHeading = "%nExamples:%n",
      footer = "  braid observers drop count-words")
  int drop(
      @Parameters(paramLabel = "OBSERVER", description = "The observer.") String observer,
      @Mixin DatabaseOptions database,
      @Mixin OutputOptions output) {
    try (Braid db = database.openExisting()) {
      db.observerOperations().drop(observer);
      output.print(
          Map.of("observer", observer, "dropped", true), "Observer " + observer + " is gone.");
      return ExitCode.DONE;
    }
  }

  private static void print(OutputOptions output, DeadLetter letter) {
    output.print(ObserverText.toObject(letter), ObserverText.toText(letter));
  }
}
