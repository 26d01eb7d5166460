package io.braid.cli.command;

/** How a command ends. */
public final class ExitCode {
  /** Done. */
  public static final int DONE = 0;

  /** Refused or failed; nothing was half done. */
  public static final int FAILED = 1;

  /** Wrong usage or configuration; nothing was tried. */
  public static final int USAGE = 2;

  /** The outcome is unknown: ask before trying again. */
  public static final int UNKNOWN = 3;

  /** The store or a service cannot be reached; try again later. */
  public static final int UNAVAILABLE = 4;

  /** The process could not go on, and is to be started again; nothing acknowledged is lost. */
  public static final int START_AGAIN = 5;

  private ExitCode() {}
}
