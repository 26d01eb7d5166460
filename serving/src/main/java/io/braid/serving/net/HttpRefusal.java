package io.braid.serving.net;

/** A request that is answered with a status of its own. */
final class HttpRefusal extends RuntimeException {
  private final int status;
  private final String error;

  HttpRefusal(int status, String error, String message) {
    super(message);
    this.status = status;
    this.error = error;
  }

  int status() {
    return status;
  }

  String error() {
    return error;
  }
}
