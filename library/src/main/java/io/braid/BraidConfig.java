package io.braid;

import io.braid.text.NearestWord;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * How a database behaves: a value for each {@link Setting}, given to {@link Braid#open(Path,
 * BraidConfig)}. Immutable.
 *
 * <pre>{@code
 * BraidConfig config =
 *     BraidConfig.defaults()
 *         .with(Setting.STORE_MEMORY, "2 GiB")
 *         .with("commit.durability", "synced");
 * }</pre>
 *
 * <p>or, by {@link #load load}, of a file with these lines:
 *
 * <pre>
 * store.memory = 2 GiB
 * commit.durability = synced
 * </pre>
 */
@API(status = API.Status.STABLE)
public final class BraidConfig {
  private static final BraidConfig DEFAULTS = new BraidConfig(Map.of());

  private static final long BYTES_OF_CELL = 16;
  private static final long MOST_CELLS = 1 << 26;

  private final Map<String, String> texts;

  private BraidConfig(Map<String, String> texts) {
    this.texts = Map.copyOf(texts);
  }

  /** Every setting at its default. */
  public static BraidConfig defaults() {
    return DEFAULTS;
  }

  /**
   * Reads lines of {@code key = value}, in UTF-8; lines that begin with # are remarks. A setting
   * that the file does not name has its default.
   *
   * @throws ConfigurationException when the file cannot be read, a key is unknown or comes twice, a
   *     value is not of its kind, or values do not go together; the text names the line
   */
  public static BraidConfig load(Path file) {
    BraidConfig config = DEFAULTS;
    for (ConfigurationFile.Line line : ConfigurationFile.read(file)) {
      try {
        config = config.with(line.key(), line.value());
      } catch (ConfigurationException e) {
        throw new ConfigurationException(line.place() + ": " + e.getMessage());
      }
    }
    return config.checked();
  }

  /**
   * This configuration, if its values go together.
   *
   * @throws ConfigurationException when they do not
   */
  public BraidConfig checked() {
    Duration heartbeat = get(Setting.LOCK_HEARTBEAT);
    if (get(Setting.LOCK_TTL).compareTo(heartbeat.multipliedBy(2)) <= 0) {
      throw new ConfigurationException(
          "lock.ttl must be more than twice lock.heartbeat, or locks of live owners are cleaned up.");
    }
    return this;
  }

  /**
   * This configuration with one value changed. Whether values go together is looked at when a
   * database is opened, or by {@link #checked}.
   *
   * @param key as in a file
   * @param value with its unit, as in a file
   * @throws ConfigurationException when there is no such key, or the value is not of its kind
   */
  public BraidConfig with(String key, String value) {
    Setting<?> setting = Setting.named(key).orElseThrow(() -> unknown(key, Setting.all()));
    setting.parse(value);
    Map<String, String> changed = new TreeMap<>(texts);
    changed.put(key, value.strip());
    return new BraidConfig(changed);
  }

  /** Returns the error for a key that none of these settings has. */
  public static ConfigurationException unknown(String key, Collection<Setting<?>> settings) {
    return new ConfigurationException(
        "There is no setting '"
            + key
            + "'."
            + NearestWord.hint(key, settings.stream().<String>map(Setting::key).toList())
            + " All of them stand in docs/configuration.md; 'braid server --print-config' prints"
            + " them.");
  }

  /** As {@link #with(String, String)}. */
  public BraidConfig with(Setting<?> setting, String value) {
    return with(setting.key(), value);
  }

  /** The value of a setting, its default if it was not given. */
  public <T> T get(Setting<T> setting) {
    return setting.parse(text(setting));
  }

  /** How many cells the conflict map of a transaction manager holds. */
  public int conflictCells() {
    return (int) Math.max(1, Math.min(MOST_CELLS, get(Setting.CONFLICT_MAP) / BYTES_OF_CELL));
  }

  /** The value of a setting as it is written. */
  public String text(Setting<?> setting) {
    return texts.getOrDefault(setting.key(), setting.defaultText());
  }

  /** Every setting with its value, in the form that {@link #load load} reads. */
  @Override
  public String toString() {
    return Setting.all().stream()
        .map(s -> s.key() + " = " + texts.getOrDefault(s.key(), s.defaultText()))
        .collect(Collectors.joining("\n"));
  }
}
