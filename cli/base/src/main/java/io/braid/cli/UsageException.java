package io.braid.cli;

/** What the user asked for makes no sense; ends with {@link ExitCode#USAGE}. */
public class UsageException extends RuntimeException {
  public UsageException(String message) {
    super(message);
  }
}
