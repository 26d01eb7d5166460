package io.braid;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * The configuration is wrong, or something that it needs is not on the class path; nothing was
 * opened. The text names the key and the values that it takes.
 */
@API(status = API.Status.STABLE)
public class ConfigurationException extends BraidException {
  public ConfigurationException(String message) {
    super(ErrorCode.CONFIGURATION, message);
  }
}
