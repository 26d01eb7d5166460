package io.braid.serving.client;

import org.apiguardian.api.API;

/** The values that were asked for are too long for one answer: ask for fewer keys. */
@API(status = API.Status.EXPERIMENTAL)
public final class ValuesTooLongException extends IllegalArgumentException {
  public ValuesTooLongException(String message) {
    super(message);
  }
}
