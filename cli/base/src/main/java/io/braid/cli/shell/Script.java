package io.braid.cli.shell;

import io.braid.Braid;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.Failures;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.store.UnknownTableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import org.jline.reader.EOFError;
import org.jspecify.annotations.Nullable;

/**
 * Statements from a file or a pipe. The first that fails ends it: what follows was written for a
 * state of things that is not there. A transaction that is open at the end is rolled back.
 */
public final class Script {
  private final OutputOptions output;
  private final Verbs verbs = new Verbs();

  public Script(OutputOptions output) {
    this.output = output;
  }

  /** Runs them; returns the exit code of the first failure. */
  public int run(Braid db, BufferedReader lines) {
    try (Session session = new Session(db, new PlainView(output))) {
      int number = 0;
      for (String line = next(lines); line != null; line = next(lines)) {
        number++;
        int code = run(session, line, number);
        if (code != ExitCode.DONE) {
          return code;
        }
      }
      if (session.transaction().isPresent()) {
        session.view().remark("the transaction was not committed: rolled back.");
        return ExitCode.FAILED;
      }
      return ExitCode.DONE;
    }
  }

  private int run(Session session, String line, int number) {
    try {
      verbs.run(session, Statement.parse(line));
      return ExitCode.DONE;
    } catch (EOFError e) {
      session.view().remark("line " + number + ": a quote is not closed.");
      return ExitCode.USAGE;
    } catch (RuntimeException e) {
      session.view().remark("line " + number + ": " + text(e));
      return Failures.codeOf(e);
    }
  }

  static String text(RuntimeException failure) {
    return failure instanceof UnknownTableException
        ? Failures.text(failure) + " 'tables' lists what is there."
        : Failures.text(failure);
  }

  private static @Nullable String next(BufferedReader lines) {
    try {
      return lines.readLine();
    } catch (IOException e) {
      throw e instanceof CharacterCodingException
          ? new UsageException(Failures.text(e))
          : new UncheckedIOException("The statements cannot be read.", e);
    }
  }
}
