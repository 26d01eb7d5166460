package io.braid.cli.shell;

/** What was asked for is not there. */
final class NotFoundException extends RuntimeException {
  NotFoundException(String message) {
    super(message);
  }
}
