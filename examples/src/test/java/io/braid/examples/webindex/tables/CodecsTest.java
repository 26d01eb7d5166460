package io.braid.examples.webindex.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codec;
import io.braid.examples.webindex.page.Anchors;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is stored is what is read; what was cut off is refused, not misread. */
class CodecsTest {
  private static final Bytes HASH = PageId.sha256(Bytes.of("x"));
  private static final AnchorTexts TEXTS = new AnchorTexts(Map.of("one", 3, "two", 1));

  @Test
  void valuesComeBackAsTheyWere() {
    check(StoredPage.CODEC, new StoredPage("https://e.org/", "utf-8", Bytes.of("<p>")), false);
    check(PageDigest.CODEC, new PageDigest("https://e.org/", HASH, HASH, 300), true);
    check(Tally.CODEC, new Tally(70_000, TEXTS, HASH), true);
    check(Cluster.CODEC, new Cluster("https://e.org/", 3, 1L << 40, TEXTS), true);
    check(Anchors.CODEC, new Anchors(7, List.of("a", "b")), true);
    check(
        Posting.CODEC,
        new Posting(new TreeMap<>(Map.of("a", 1, "z\u00fc", 300, "\uFF5E", 2))),
        true);
  }

  @Test
  void aPostingIsSearchedWithoutBeingDecoded() {
    Bytes encoded =
        Posting.CODEC.encode(
            new Posting(new TreeMap<>(Map.of("b", 2, "\uFF5E", 5, "\uD83D\uDE00", 7))));

    assertThat(Posting.weight(encoded, Bytes.of("b"))).isEqualTo(2);
    assertThat(Posting.weight(encoded, Bytes.of("\uFF5E"))).isEqualTo(5);
    assertThat(Posting.weight(encoded, Bytes.of("\uD83D\uDE00"))).isEqualTo(7);
    assertThat(Posting.weight(encoded, Bytes.of("a"))).isZero();
    assertThat(Posting.weight(encoded, Bytes.of("zz"))).isZero();
  }

  @Test
  void onlyTheMostFrequentTextsAreKept() {
    Map<String, Integer> many = Map.of("a", 1, "b", 5, "c", 5, "d", 2, "e", 9, "f", 1, "g", 1);

    assertThat(new AnchorTexts(many).texts()).containsExactly("e", "b", "c", "d", "a");
  }

  private static <T> void check(Codec<T> codec, T value, boolean bounded) {
    Bytes encoded = codec.encode(value);
    assertThat(codec.decode(encoded)).isEqualTo(value);
    if (bounded) {
      assertThatThrownBy(() -> codec.decode(encoded.slice(0, encoded.length() - 1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
