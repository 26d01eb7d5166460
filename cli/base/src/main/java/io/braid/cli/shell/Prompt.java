package io.braid.cli.shell;

import io.braid.Braid;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.Failures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** Statements as a person types them, with completion and history. */
public final class Prompt {
  private final Braid db;
  private final Verbs verbs = new Verbs();

  public Prompt(Braid db) {
    this.db = db;
  }

  /** Runs until the person leaves. */
  public int run() throws IOException {
    try (Terminal terminal =
            TerminalBuilder.builder().system(true).encoding(StandardCharsets.UTF_8).build();
        Session session =
            new Session(db, new DrawnView(terminal.writer(), () -> width(terminal)))) {
      LineReader reader = reader(terminal);
      session.view().remark("'help' shows what can be done; tab completes; ^D leaves.");
      while (true) {
        Statement statement = read(reader, session);
        if (statement == null || Verbs.ends(statement)) {
          break;
        }
        run(session, statement);
      }
      if (session.transaction().isPresent()) {
        session.view().remark("The transaction was not committed: rolled back.");
      }
      return ExitCode.DONE;
    }
  }

  /** A terminal that does not tell its width is taken for one of 80 columns. */
  private static int width(Terminal terminal) {
    return terminal.getWidth() > 0 ? terminal.getWidth() : 80;
  }

  private LineReader reader(Terminal terminal) {
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("braid")
            .parser(Statement.parser())
            .completer(new Completion(db, verbs))
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "   ...> ");
    HistoryFile.ready().ifPresent(file -> remember(builder, file));
    return builder.build();
  }

  private static void remember(LineReaderBuilder builder, Path file) {
    builder.variable(LineReader.HISTORY_FILE, file).variable(LineReader.HISTORY_FILE_SIZE, 5_000);
  }

  /** The next statement; null when the person leaves. */
  private @Nullable Statement read(LineReader reader, Session session) {
    while (true) {
      try {
        return Statement.parse(reader.readLine(prompt(session)));
      } catch (UserInterruptException e) {
        session.view().remark("^D or 'quit' leaves.");
      } catch (EndOfFileException e) {
        return null;
      } catch (IllegalArgumentException e) {
        session.view().remark(String.valueOf(e.getMessage()));
      }
    }
  }

  private static String prompt(Session session) {
    String state =
        session
            .transaction()
            .map(tx -> tx.hasWrites() ? " tx*" : " tx")
            .orElseGet(() -> session.moment().map(when -> " as of " + when).orElse(""));
    return "braid" + state + "> ";
  }

  private void run(Session session, Statement statement) {
    try {
      verbs.run(session, statement);
    } catch (RuntimeException e) {
      session.view().remark(Script.text(e));
      if (System.getenv("BRAID_DEBUG") != null) {
        session.view().remark("Exit code would be " + Failures.codeOf(e) + ": " + e);
      }
    }
  }
}
