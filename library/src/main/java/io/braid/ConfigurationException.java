package io.braid;

/**
 * The configuration is wrong, or something that it needs is not on the class path; nothing was
 * opened. The text names the key and the values that it takes.
 */
public class ConfigurationException extends RuntimeException {
  public ConfigurationException(String message) {
    super(message);
  }
}
