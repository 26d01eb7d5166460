package io.braid.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Verbs of {@code braid}, in this process. */
final class Verbs {
  /**
   * How a verb ended.
   *
   * @param out what it said, errors too
   */
  record Ran(int code, String out) {}

  private Verbs() {}

  static Ran run(String line) {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    int code = Main.commandLine().setOut(writer).setErr(writer).execute(line.split(" "));
    return new Ran(code, out.toString());
  }

  static void done(String line) {
    Ran ran = run(line);
    assertThat(ran.code).as(line + ": " + ran.out).isZero();
  }
}
