package io.braid.serving.redis;

/** What came is not the Redis protocol; the connection is closed after this has been said. */
final class RespException extends RuntimeException {
  RespException(String message) {
    super(message);
  }
}
