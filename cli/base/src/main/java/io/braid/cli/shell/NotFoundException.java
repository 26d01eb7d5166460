package io.braid.cli.shell;

/** The requested item does not exist. */
final class NotFoundException extends RuntimeException {
  NotFoundException(String message) {
    super(message);
  }
}
