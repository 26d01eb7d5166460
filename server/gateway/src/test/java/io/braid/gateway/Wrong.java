package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The doors that broke a rule, each with the first wrong answer. */
final class Wrong {
  private static final int MOST = 300; // characters of an answer

  private final Map<String, String> doors = new TreeMap<>();

  void unless(boolean right, String door, String request, Object answer) {
    if (!right) {
      doors.putIfAbsent(door, shortened(request) + " is answered by " + shortened("" + answer));
    }
  }

  private static String shortened(String text) {
    return text.substring(0, Math.min(text.length(), MOST));
  }

  void requireNone(String rule) {
    require(Set.of(), rule);
  }

  /** Fails unless exactly the known doors broke the rule. */
  void require(Set<String> known, String rule) {
    assertThat(doors.keySet())
        .as("Doors that break the rule '%s': %s", rule, doors)
        .isEqualTo(known);
  }
}
