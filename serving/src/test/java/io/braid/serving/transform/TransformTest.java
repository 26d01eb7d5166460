package io.braid.serving.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransformTest {
  private static String part(String text, String value) {
    return Part.parse(text).of(Bytes.of(value)).toUtf8();
  }

  @Test
  void partsOfBytesAndListsEndWhereTheValueEnds() {
    assertThat(part("bytes 1 3", "abcdef")).isEqualTo("bcd");
    assertThat(part("bytes 4 2147483647", "abcdef")).isEqualTo("ef");
    assertThat(part("bytes 9 1", "abcdef")).isEmpty();
    assertThat(part("list 1 2", "[1,{\"a\":2},3,4]")).isEqualTo("[{\"a\":2},3]");
    assertThat(part("list 3 2147483647", "[1,2]")).isEqualTo("[]");
    assertThat(part("list 2147483647 2147483647", "[1,2]")).isEqualTo("[]");
  }

  @Test
  void whatIsAddedComesAtTheEnd() {
    Bytes one = Transform.BYTES.append(Optional.empty(), Bytes.of("ab"));
    assertThat(Transform.BYTES.append(Optional.of(one), Bytes.of("c"))).isEqualTo(Bytes.of("abc"));
    Bytes list = Transform.LIST.append(Optional.empty(), Bytes.of("{\"n\": 1}"));
    assertThat(Transform.LIST.append(Optional.of(list), Bytes.of("[2]")))
        .isEqualTo(Bytes.of("[{\"n\":1},[2]]"));
  }

  @Test
  void whatIsNoListIsSaidToBeNone() {
    assertThatThrownBy(() -> part("list 0 1", "{}")).hasMessageContaining("no list");
    assertThatThrownBy(() -> part("list 0 1", "[1")).hasMessageContaining("no JSON");
    assertThatThrownBy(() -> part("list 0 1", "")).hasMessageContaining("no JSON");
    assertThatThrownBy(() -> Transform.LIST.append(Optional.empty(), Bytes.of("pears")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNoPartIsRefused() {
    for (String text : new String[] {"", "list", "list 1", "list -1 2", "list 1 2 3", "sum 1 2"}) {
      assertThatThrownBy(() -> Part.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
    Part part = new Part(Transform.LIST, 3, Integer.MAX_VALUE);
    assertThat(Part.parse(part.text())).isEqualTo(part);
  }
}
