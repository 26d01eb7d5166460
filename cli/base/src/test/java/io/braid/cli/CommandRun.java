package io.braid.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** The outcome of a command. */
public record CommandRun(int code, String out, String err) {
  /** Runs a command as typed; its words hold no blanks. */
  public static CommandRun of(String line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(line.split(" "));
    return new CommandRun(code, out.toString(), err.toString());
  }
}
