package io.braid;

/** The configuration is wrong; nothing was opened. The text names the key and what it takes. */
public class ConfigurationException extends RuntimeException {
  public ConfigurationException(String message) {
    super(message);
  }
}
