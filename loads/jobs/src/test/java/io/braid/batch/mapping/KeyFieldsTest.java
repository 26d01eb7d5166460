package io.braid.batch.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Keys made of several fields are told apart, whatever stands in the fields. Fault 74. */
class KeyFieldsTest {
  private static final String LETTERS = "a/";

  @Test
  void noTwoListsOfValuesMakeOneKeyAndEachComesBack() {
    for (String separator : List.of("/", "//", "a/", "///")) {
      KeyFields fields = new KeyFields(List.of("x", "y", "z"), separator);
      Map<Bytes, List<String>> seen = new HashMap<>();
      for (List<String> values : lists(3, texts(4))) {
        try {
          Bytes key = fields.join(values);
          assertThat(seen.put(key, values)).as("another list with key %s", key).isNull();
          assertThat(fields.split(key)).isEqualTo(values);
        } catch (IllegalArgumentException refused) {
          assertThat(refused).hasMessageContaining("cannot be told from the next");
        }
      }
      assertThat(seen).hasSizeGreaterThan(100);
    }
  }

  @Test
  void aKeyThatSplitsIsTheKeyOfWhatComesOut() {
    KeyFields fields = new KeyFields(List.of("x", "y"), "//");
    for (String text : texts(7)) {
      try {
        assertThat(fields.join(fields.split(Bytes.of(text)))).isEqualTo(Bytes.of(text));
      } catch (IllegalArgumentException refused) {
        assertThat(refused).hasMessageContaining("has no value for field");
      }
    }
  }

  @Test
  void severalFieldsNeedASeparator() {
    assertThatThrownBy(() -> new KeyFields(List.of("x", "y"), ""))
        .hasMessageContaining("needs a \"separator\"");
    assertThat(new KeyFields(List.of("x"), "").join(List.of("a"))).isEqualTo(Bytes.of("a"));
  }

  @Test
  void bytesThatAreNoTextAreNoKey() {
    KeyFields fields = new KeyFields(List.of("x"), "/");
    assertThatThrownBy(() -> fields.split(Bytes.ofInts(0xFF)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> fields.join(List.of("\uD800")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** All texts of one letter to so many. */
  private static List<String> texts(int most) {
    List<String> all = new ArrayList<>();
    List<String> longest = List.of("");
    for (int length = 1; length <= most; length++) {
      List<String> next = new ArrayList<>();
      for (String text : longest) {
        LETTERS.chars().forEach(letter -> next.add(text + (char) letter));
      }
      all.addAll(next);
      longest = next;
    }
    return all;
  }

  private static List<List<String>> lists(int length, List<String> texts) {
    List<List<String>> all = List.of(List.of());
    for (int i = 0; i < length; i++) {
      List<List<String>> next = new ArrayList<>();
      for (List<String> begin : all) {
        for (String text : texts) {
          List<String> list = new ArrayList<>(begin);
          list.add(text);
          next.add(list);
        }
      }
      all = next;
    }
    return all;
  }
}
