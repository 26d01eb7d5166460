package io.braid.cli.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.braid.core.failure.ErrorCode;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a verb prints: for people, or as JSON, one object a line. */
public final class OutputOptions {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  @Option(names = "--json", description = "Print JSON, one object a line, instead of text.")
  boolean json;

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // picocli sets it
  CommandSpec spec;

  public boolean json() {
    return json;
  }

  /** Where results go. */
  public PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Where progress and remarks go, so that results can be piped. */
  public PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Prints the object under --json, the text otherwise. */
  public void print(Map<String, ?> object, String text) {
    PrintWriter out = out();
    out.println(json ? toJson(object) : text);
    out.flush();
  }

  /** Says that there is nothing to print, so that silence is not taken for a failure. */
  public void nothing(String what) {
    err().println("braid: " + what);
    err().flush();
  }

  /**
   * Says why a verb has not done what was asked: as a line of JSON under --json, else as text.
   *
   * @return the exit code
   */
  public int refused(ErrorCode code, String why) {
    err().println(json ? Failures.json(code.word(), why) : "braid: " + why);
    err().flush();
    return ExitCode.FAILED;
  }

  /**
   * Says that something was removed, or that it was not there.
   *
   * @param kind what it is, as {@code table}
   * @return the exit code
   */
  public int removed(String kind, String name, boolean was) {
    if (!was) {
      ErrorCode code = ErrorCode.of("no such " + kind).orElse(ErrorCode.BAD_REQUEST);
      return refused(code, "there is no " + kind + " " + name + ".");
    }
    String begin = kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1);
    print(Map.of("dropped", name), begin + " " + name + " is gone.");
    return ExitCode.DONE;
  }

  /** A timestamp for JSON: as text, since many readers of JSON keep only 53 bits of a number. */
  public static String timestamp(long timestamp) {
    return Long.toString(timestamp);
  }

  public static String toJson(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A result cannot be written as JSON.", e);
    }
  }
}
