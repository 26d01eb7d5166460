package io.braid;

import io.braid.core.store.Durability;
import io.braid.text.Units;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * The kinds of settings, and how their values are written. A text that is no value makes an {@link
 * IllegalArgumentException} that says what to write.
 */
final class SettingKinds {
  private SettingKinds() {}

  /** An amount of bytes, within bounds. */
  static Setting<Long> size(
      String key, String defaultText, String least, String most, String description) {
    return Setting.of(
        key, defaultText, description, text -> within(text, Units::bytes, least, most));
  }

  /** A file, or off, which is the default. */
  static Setting<Optional<Path>> file(String key, String description) {
    return Setting.of(
        key,
        "off",
        description,
        text -> text.equalsIgnoreCase("off") ? Optional.empty() : Optional.of(Path.of(text)));
  }

  /** A time of any length. */
  static Setting<Duration> duration(String key, String defaultText, String description) {
    return duration(key, defaultText, "0 ms", "3650 d", description);
  }

  /** A time within bounds. */
  static Setting<Duration> duration(
      String key, String defaultText, String least, String most, String description) {
    return Setting.of(
        key, defaultText, description, text -> within(text, Units::duration, least, most));
  }

  private static <C extends Comparable<C>> C within(
      String text, Function<String, C> parser, String least, String most) {
    C value = parser.apply(text);
    if (value.compareTo(parser.apply(least)) < 0 || value.compareTo(parser.apply(most)) > 0) {
      throw new IllegalArgumentException("write an amount from " + least + " to " + most + ".");
    }
    return value;
  }

  /** A number from 1 on. */
  static Setting<Integer> count(String key, String defaultText, String description) {
    return Setting.of(key, defaultText, description, Units::count);
  }

  static String namespace(String text) {
    if (!text.matches("[A-Za-z0-9_]+")) {
      throw new IllegalArgumentException("write letters, digits and underscores.");
    }
    return text;
  }

  static Durability durability(String text) {
    return oneOf(text, Durability.BUFFERED, Durability.SYNCED);
  }

  /** One of several words. */
  @SafeVarargs
  static <E extends Enum<E>> E oneOf(String text, E... values) {
    for (E value : values) {
      if (value.name().equalsIgnoreCase(text)) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "write one of " + Arrays.toString(values).toLowerCase(Locale.ROOT) + ".");
  }
}
