package io.braid.store.rocksdb.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeysTest {
  private record Place(Bytes row, Bytes qualifier, long version) {}

  private static final Comparator<Place> ORDER =
      Comparator.comparing(Place::row)
          .thenComparing(Place::qualifier)
          .thenComparing(Comparator.comparingLong(Place::version).reversed());

  private final SplittableRandom random = new SplittableRandom(7);

  @Test
  void keysSortAsCellsDoAndReadBack() {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      places.add(new Place(bytes(), bytes(), version()));
    }
    places.sort(ORDER);
    List<byte[]> keys =
        new ArrayList<>(
            places.stream().map(p -> Keys.cell(p.row(), p.qualifier(), p.version())).toList());
    for (int i = 0; i < keys.size(); i++) {
      assertThat(decode(keys.get(i))).isEqualTo(places.get(i));
      if (i > 0 && !places.get(i).equals(places.get(i - 1))) {
        assertThat(Arrays.compareUnsigned(keys.get(i - 1), keys.get(i)))
            .as(places.get(i - 1) + " before " + places.get(i))
            .isNegative();
      }
    }
  }

  @Test
  void whatLiesBeyondARowOrColumnLiesBeforeTheNext() {
    for (int i = 0; i < 3000; i++) {
      Place place = new Place(bytes(), bytes(), version());
      Place other = new Place(bytes(), bytes(), version());
      byte[] key = Keys.cell(place.row(), place.qualifier(), place.version());
      byte[] otherKey = Keys.cell(other.row(), other.qualifier(), other.version());
      byte[] rowEnd = Keys.beyond(key, Keys.fieldEnd(key, 0));
      assertThat(Arrays.compareUnsigned(otherKey, rowEnd) < 0)
          .isEqualTo(other.row().compareTo(place.row()) <= 0);
      byte[] columnEnd = Keys.beyond(key, key.length - Keys.VERSION_BYTES);
      int order =
          Comparator.comparing(Place::row).thenComparing(Place::qualifier).compare(other, place);
      assertThat(Arrays.compareUnsigned(otherKey, columnEnd) < 0).isEqualTo(order <= 0);
      byte[] padded = Arrays.copyOf(columnEnd, columnEnd.length + 40);
      assertThat(Arrays.compareUnsigned(otherKey, padded) < 0).isEqualTo(order <= 0);
    }
  }

  /** The examples of docs/formats/rocksdb.md: what is on disk stays readable. */
  @Test
  void formatsStayAsTheyAre() {
    assertThat(Bytes.wrap(Keys.cell(Bytes.of("a"), Bytes.ofInts(0), 1)).toHex())
        .isEqualTo("610001" + "00ff0001" + "fffffffffffffffe");
    assertThat(FormatFile.line(1)).isEqualTo("braid-rocksdb 1 crc32c 38ea8d34\n");
  }

  private static Place decode(byte[] key) {
    int rowEnd = Keys.fieldEnd(key, 0);
    int columnEnd = key.length - Keys.VERSION_BYTES;
    return new Place(
        Keys.field(key, 0, rowEnd),
        Keys.field(key, rowEnd, columnEnd),
        Keys.version(key, key.length));
  }

  private Bytes bytes() {
    int[] bytes = new int[random.nextInt(4)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = new int[] {0, 1, 2, 0x61, 0xFE, 0xFF}[random.nextInt(6)];
    }
    return Bytes.ofInts(bytes);
  }

  private long version() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(3);
      case 1 -> Long.MAX_VALUE - random.nextInt(3);
      default -> random.nextLong() >>> 1;
    };
  }
}
