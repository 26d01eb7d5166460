package io.braid.core.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BytesTest {
  @Test
  void ordersUnsignedFromLeftToRight() {
    List<Bytes> ordered =
        List.of(
            Bytes.EMPTY,
            Bytes.ofInts(0),
            Bytes.ofInts(0, 0),
            Bytes.ofInts(0, 255),
            Bytes.ofInts(1),
            Bytes.ofInts(127),
            Bytes.ofInts(128),
            Bytes.ofInts(255),
            Bytes.ofInts(255, 0));

    assertThat(ordered.stream().sorted()).containsExactlyElementsOf(ordered);
  }

  /** A question mark would stand for it, and one key for two. */
  @Test
  void textWithHalfOfASurrogatePairHasNoForm() {
    for (String half :
        List.of("\uD83D", "\uDE00", "a\uD83Db", "\uDE00\uD83D", "\uD83D\uD83D\uDE00")) {
      assertThatThrownBy(() -> Bytes.of(half))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("half of a surrogate pair");
      assertThat(Bytes.ofAnyText(half).toUtf8()).contains("?");
    }
    assertThat(Bytes.of("?\uD83D\uDE00?").toUtf8()).isEqualTo("?\uD83D\uDE00?");
  }

  @Test
  void bytesThatAreNoTextAreNotReadAsText() {
    assertThatThrownBy(() -> Codecs.utf8().decode(Bytes.ofInts('a', 0xFF)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no text in UTF-8");
    assertThat(Codecs.utf8().decode(Bytes.of("\uFFFD?"))).isEqualTo("\uFFFD?");
  }

  @Test
  void aCodecThatMakesNothingOfAValueIsRefused() {
    Column<String> column = Column.of("f", "q", Codecs.of(text -> null, Bytes::toUtf8));
    assertThatThrownBy(() -> column.encode("x"))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("f:q");
  }

  @Test
  void slicesEqualCopiesAndHashAlike() {
    Bytes slice = Bytes.of("a row key").slice(2, 5);

    assertThat(slice).isEqualTo(Bytes.of("row")).hasSameHashCodeAs(Bytes.of("row"));
    assertThat(slice.toArray()).isEqualTo("row".getBytes());
    assertThat(slice.concat(Bytes.of("s"))).isEqualTo(Bytes.of("rows"));
    assertThat(slice.compareTo(Bytes.of("row"))).isZero();
  }

  @Test
  void findsTheFirstOfAByteAtEachPlaceOfASlice() {
    byte[] array = new byte[64];
    for (int wanted : new int[] {0, 1, '"', 127, 128, 255}) {
      for (int other : new int[] {0, 1, '!', 127, 128, 129, 255}) {
        for (int at = 0; at < 40 && other != wanted; at++) {
          java.util.Arrays.fill(array, (byte) other);
          // What stands before the slice, and behind it, does not count.
          array[2] = (byte) wanted;
          array[43] = (byte) wanted;
          Bytes slice = Bytes.wrap(array, 3, 40);
          assertThat(slice.indexOf((byte) wanted, 0)).isEqualTo(-1);
          array[3 + at] = (byte) wanted;
          array[42] = (byte) wanted;
          assertThat(slice.indexOf((byte) wanted, 0)).isEqualTo(at);
          assertThat(slice.indexOf((byte) wanted, at)).isEqualTo(at);
          assertThat(slice.indexOf((byte) wanted, at + 1)).isEqualTo(at == 39 ? -1 : 39);
        }
      }
    }
    assertThat(Bytes.EMPTY.indexOf((byte) 0, 0)).isEqualTo(-1);
  }

  @Test
  void successorIsTheVeryNext() {
    assertThat(Bytes.of("a").successor()).isEqualTo(Bytes.ofInts('a', 0));
    assertThat(Bytes.EMPTY.successor()).isEqualTo(Bytes.ofInts(0));
    assertThat(Bytes.of("abc").slice(0, 1).successor()).isEqualTo(Bytes.ofInts('a', 0));
  }

  @Test
  void prefixEndSortsAfterAllThatBeginAlike() {
    assertThat(Bytes.of("ab").prefixEnd()).isEqualTo(Bytes.of("ac"));
    assertThat(Bytes.ofInts('a', 255, 255).prefixEnd()).isEqualTo(Bytes.of("b"));
    assertThat(Bytes.ofInts(255, 255).prefixEnd()).isNull();
    assertThat(Bytes.EMPTY.prefixEnd()).isNull();
  }

  @Test
  void boundsAreChecked() {
    Bytes slice = Bytes.of("abcdef").slice(1, 3);

    assertThatThrownBy(() -> slice.at(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.slice(1, 3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.longAt(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Bytes.wrap(new byte[2], 1, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void printsWhatCannotBePrintedAsHex() {
    assertThat(Bytes.ofInts('a', 0, 0xFF, '\\')).hasToString("a\\x00\\xFF\\\\");
  }

  @Test
  void encoderAndDecoderRoundTrip() {
    Stream.of(0L, 1L, 127L, 128L, 300L, Long.MAX_VALUE, -1L, Long.MIN_VALUE)
        .forEach(
            number -> {
              Bytes encoded =
                  new Encoder()
                      .varint(number)
                      .int64(number)
                      .text("grüße")
                      .row(Row.of("t", Bytes.ofInts(0, 255)))
                      .bool(true)
                      .raw(Bytes.of("rest"))
                      .finish();
              Decoder from = new Decoder(encoded);
              assertThat(from.varint()).isEqualTo(number);
              assertThat(from.int64()).isEqualTo(number);
              assertThat(from.text()).isEqualTo("grüße");
              assertThat(from.row()).isEqualTo(Row.of("t", Bytes.ofInts(0, 255)));
              assertThat(from.bool()).isTrue();
              assertThat(from.rest()).isEqualTo(Bytes.of("rest"));
            });
  }

  @Test
  void decoderRefusesLengthsBeyondTheInput() {
    Bytes huge = new Encoder().varint(1L << 40).finish();
    Bytes negative = new Encoder().varint(-1).finish();
    Bytes endless = Bytes.ofInts(255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255);

    assertThatThrownBy(() -> new Decoder(huge).bytes())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Decoder(negative).bytes())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Decoder(endless).varint())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Decoder(Bytes.EMPTY).u8())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Decoder(Bytes.of("x")).end())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void rangesIntersectAndContain() {
    KeyRange ab = new KeyRange(Bytes.of("a"), Bytes.of("b"));

    assertThat(ab.contains(Bytes.of("a"))).isTrue();
    assertThat(ab.contains(Bytes.of("b"))).isFalse();
    assertThat(KeyRange.ALL.intersect(ab)).isEqualTo(ab);
    assertThat(ab.intersect(KeyRange.ALL)).isEqualTo(ab);
    assertThat(ab.intersect(new KeyRange(Bytes.of("b"), null)).isEmpty()).isTrue();
    assertThat(KeyRange.prefix(Bytes.of("a"))).isEqualTo(ab);
  }
}
