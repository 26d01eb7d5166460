package io.braid.observers.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.testkit.Seeds;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PlacesTest {
  @Test
  void keysLieInTheirTabletAndAreSpreadOverIt() {
    for (KeyRange range :
        new KeyRange[] {
          KeyRange.ALL,
          new KeyRange(Bytes.of("user/1"), Bytes.of("user/2")),
          new KeyRange(Bytes.of("user/1"), null),
          new KeyRange(Bytes.EMPTY, Bytes.of("a")),
          new KeyRange(Bytes.ofInts(0xFF), null),
          new KeyRange(Bytes.of("a"), Bytes.of("b")),
        }) {
      Seeds.check(
          20,
          random -> {
            TreeSet<Bytes> keys = new TreeSet<>();
            for (int i = 0; i < 50; i++) {
              Bytes key = Places.keyWithin(range, random.nextLong());
              assertThat(range.contains(key)).as("%s in %s", key, range).isTrue();
              keys.add(key);
            }
            assertThat(keys).as("%s", range).hasSizeGreaterThan(40);
          });
    }
  }

  @Test
  void aTabletOfOneKeyHasOnePlace() {
    KeyRange one = KeyRange.single(Bytes.of("a key that is longer than eight bytes"));
    assertThat(Places.keyWithin(one, 12345)).isEqualTo(one.start());
  }
}
