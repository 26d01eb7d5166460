package io.braid.serving.fetch;

/** A version could not be fetched; what was live still is. */
public final class FetchFailedException extends RuntimeException {
  public FetchFailedException(String message, Throwable cause) {
    super(message, cause);
  }

  public FetchFailedException(String message) {
    super(message);
  }
}
