package io.braid.cli.command;

/** The request of the user makes no sense; the process ends with {@link ExitCode#USAGE}. */
public class UsageException extends RuntimeException {
  public UsageException(String message) {
    super(message);
  }
}
