package io.braid;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How a database behaves: a value for each {@link Setting}. Immutable.
 *
 * <pre>
 * store.memory = 2 GiB
 * commit.durability = synced
 * </pre>
 */
public final class BraidConfig {
  private static final BraidConfig DEFAULTS = new BraidConfig(Map.of());

  private final Map<String, String> texts;

  private BraidConfig(Map<String, String> texts) {
    this.texts = Map.copyOf(texts);
  }

  public static BraidConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Reads lines of {@code key = value}; lines that begin with # are remarks.
   *
   * @throws ConfigurationException when the file cannot be read, a key is unknown, or a value is
   *     not of its kind
   */
  public static BraidConfig load(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (NoSuchFileException e) {
      throw new ConfigurationException("There is no configuration file " + file + ".");
    } catch (IOException | IllegalArgumentException e) {
      throw new ConfigurationException("Configuration file " + file + " cannot be read: " + e);
    }
    BraidConfig config = DEFAULTS;
    for (String key : properties.stringPropertyNames().stream().sorted().toList()) {
      config = config.with(key, properties.getProperty(key));
    }
    return config;
  }

  /**
   * This configuration with one value changed.
   *
   * @throws ConfigurationException when there is no such key, or the value is not of its kind
   */
  public BraidConfig with(String key, String value) {
    Setting<?> setting =
        Setting.named(key)
            .orElseThrow(
                () ->
                    new ConfigurationException(
                        "There is no setting '"
                            + key
                            + "'. There are: "
                            + Setting.all().stream()
                                .map(Setting::key)
                                .collect(Collectors.joining(", "))
                            + "."));
    setting.parse(value);
    Map<String, String> changed = new TreeMap<>(texts);
    changed.put(key, value.strip());
    return new BraidConfig(changed);
  }

  /** As {@link #with(String, String)}. */
  public BraidConfig with(Setting<?> setting, String value) {
    return with(setting.key(), value);
  }

  public <T> T get(Setting<T> setting) {
    return setting.parse(texts.getOrDefault(setting.key(), setting.defaultText()));
  }

  /** Every setting with its value, in the form that {@link #load} reads. */
  @Override
  public String toString() {
    return Setting.all().stream()
        .map(s -> s.key() + " = " + texts.getOrDefault(s.key(), s.defaultText()))
        .collect(Collectors.joining("\n"));
  }
}
