package io.braid.serving.redis;

/** The input is not the Redis protocol. The connection is closed after this error was sent. */
final class RespException extends RuntimeException {
  RespException(String message) {
    super(message);
  }
}
