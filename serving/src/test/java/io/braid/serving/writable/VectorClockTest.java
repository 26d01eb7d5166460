package io.braid.serving.writable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.serving.writable.VectorClock.Order;
import io.braid.testkit.CodecCheckingStore;
import io.braid.testkit.MemoryStore;
import io.braid.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Clocks, siblings, and that all engines do the same with them. */
class VectorClockTest {
  private static VectorClock clock(String text) {
    return VectorClock.parse(text);
  }

  @Test
  void clocksOfSection313() {
    assertThat(clock("1:10,2:3").compare(clock("1:10,2:4"))).isEqualTo(Order.BEFORE);
    assertThat(clock("1:10,2:3").compare(clock("1:9,2:4"))).isEqualTo(Order.CONCURRENT);
    assertThat(clock("1:1").compare(VectorClock.NONE)).isEqualTo(Order.AFTER);
    assertThat(clock("1:1,2:1")).isEqualTo(clock("2:1,1:1")).hasToString("1:1,2:1");
    assertThat(clock("1:1").merged(clock("2:5")).incremented(2)).isEqualTo(clock("1:1,2:6"));
    assertThatThrownBy(() -> clock("1:x")).hasMessageContaining("NODE:COUNT");
  }

  @Test
  void aClockNamesOpenTriesAndTheLastOfTheOthers() {
    VectorClock named = clock("0:9,1:1~0:3:a,0:6:b,0:7:c,0:8:d,0:9:e,0:10:f,1:1:10");
    assertThat(named)
        .isEqualTo(clock(named.toString()))
        .hasToString("0:9,1:1~0:6:b,0:7:c,0:8:d,0:9:e,0:10:f,1:1:10");
    assertThat(named.names(0xf)).isTrue();
    assertThat(named.names(0xa)).isFalse();
    VectorClock full = clock("0:1~0:2:1,0:2:2,0:2:3,0:2:4,0:2:5,0:2:6,0:2:7,0:2:8");
    assertThat(full.isFull(0)).isTrue();
    assertThat(full.isFull(1)).isFalse();
    assertThat(full.incremented(0).isFull(0)).as("the node has come so far").isFalse();
    for (String wrong : List.of("0:1~0:1", "0:1~0:1:", "0:1~0:1:x", "0:1~~0:1:1")) {
      assertThatThrownBy(() -> clock(wrong)).as(wrong).hasMessageContaining("no clock");
    }
  }

  /** A count that others know by its name alone, since the answer of its node was lost. */
  @Test
  void whatIsNamedElsewhereNeedsNoCount() {
    VectorClock merged = clock("0:2,3:1~0:1:a,0:2:b,3:1:a");
    VectorClock later = clock("0:7,1:1~0:4:c,0:5:d,0:6:e,0:7:f,1:1:c,3:1:a");
    assertThat(later.compare(merged)).isEqualTo(Order.CONCURRENT);
    assertThat(later.follows(merged)).isTrue();
    assertThat(merged.follows(later)).isFalse();
    for (String unseen :
        List.of(
            "0:2,3:1~3:1:9", // the node took another write with this count
            "0:2,3:1~3:1:a,3:1:9", // maybe
            "0:2,3:2~3:1:a,3:2:9",
            "0:2,3:2~3:2:a", // and one that is not named
            "0:2,3:1",
            "0:8,3:1~3:1:a",
            "0:2,3:5~3:2:1,3:3:2,3:4:3,3:5:4")) {
      assertThat(later.follows(clock(unseen))).as(unseen).isFalse();
    }
    assertThat(clock("0:2~3:1:a").follows(clock("3:1~0:2:b,3:1:a"))).isTrue();
    assertThat(clock("0:1~0:1:a,3:1:b").follows(clock("3:1~0:1:a,3:1:b"))).isFalse();
  }

  @Test
  void whatNobodyCanHaveReadIsRefused() {
    long life = 7L << 32;
    for (String wrong :
        List.of(
            "0:100000000000000001",
            "0:" + (life + 0xFFFFFFFFL), // the next write would be of another life
            "10000:3", // an import of an earlier life
            "10001:" + (life + 1),
            "0:" + (life + 1) + "~10000:" + (life + 1) + ":a",
            "0:0",
            "0:3", // of an earlier life
            "0:" + ((8L << 32) + 1))) {
      assertThatThrownBy(() -> clock(wrong).requireReadable(7))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Give back the one that was read");
    }
    clock("0:" + (life + 1) + ",10000:" + (life + 3) + "~9999:" + (life + 8) + ":a")
        .requireReadable(7);
    clock("0:3").requireReadable(0);
    VectorClock.NONE.requireReadable(7);
  }

  @Test
  void aLifeCountsFromAboveAllBefore() {
    VectorClock first = VectorClock.NONE.incremented(1, 7).incremented(1, 7);
    first.requireReadable(7);
    VectorClock next = VectorClock.NONE.incremented(1, 8);
    next.requireReadable(8);
    assertThat(next.includes(first)).isTrue();
    assertThat(VectorClock.NONE.incremented(2, 8).includes(first)).as("at any node").isTrue();
    assertThat(first.merged(next)).as("what was counted before is gone").isEqualTo(next);
    assertThat(first.incremented(2, 8)).isEqualTo(VectorClock.NONE.incremented(2, 8));
    assertThat(first.imported(VectorClock.firstImport(8)).imports())
        .isEqualTo(VectorClock.firstImport(8));
  }

  /** What nodes wrote that knew nothing of tries, and what such nodes read. */
  @Test
  void siblingsWithoutTriesAreReadAndThoseWithTriesAreReadWithoutThem() {
    Bytes old =
        new Encoder().varint(1).varint(1).varint(0).varint(7).varint(9).bool(false).finish();
    List<VersionedValue> plain = List.of(new VersionedValue(clock("0:7"), 9, Optional.empty()));
    assertThat(VersionedValue.decodeAll(new Decoder(old))).isEqualTo(plain);
    List<VersionedValue> named =
        List.of(new VersionedValue(clock("0:7~0:7:5,1:1:5"), 9, Optional.empty(), 5));
    Encoder encoder = new Encoder();
    VersionedValue.encode(named, encoder);
    Bytes bytes = encoder.finish();
    assertThat(VersionedValue.decodeAll(new Decoder(bytes))).isEqualTo(named);
    assertThat(bytes.startsWith(old)).isTrue();
    assertThat(Siblings.with(plain, named.get(0))).isEqualTo(named);
    assertThat(Siblings.with(named, plain.get(0))).isEqualTo(named);
  }

  private static VersionedValue random(RandomGenerator random) {
    VectorClock clock = VectorClock.NONE;
    for (int i = 0; i < 4; i++) {
      clock = random.nextInt(3) == 0 ? clock : clock.incremented(random.nextInt(3));
    }
    Optional<Bytes> value =
        random.nextInt(4) == 0
            ? Optional.empty()
            : Optional.of(Bytes.ofInts(random.nextInt(3), 0, 255));
    return new VersionedValue(clock, random.nextInt(100), value);
  }

  @Test
  void noSiblingIncludesAnotherInWhateverOrderTheyCome() {
    Seeds.check(
        200,
        random -> {
          List<VersionedValue> all = new ArrayList<>();
          List<VersionedValue> siblings = List.of();
          for (int i = 0; i < 8; i++) {
            VersionedValue next = random(random);
            if (Siblings.accepts(siblings, next)) {
              all.add(next);
              siblings = Siblings.with(siblings, next);
            }
          }
          for (VersionedValue one : siblings) {
            assertThat(siblings.stream().filter(s -> s.clock().includes(one.clock()))).hasSize(1);
          }
          for (VersionedValue one : all) {
            assertThat(siblings).anyMatch(s -> s.clock().includes(one.clock()));
          }
          Encoder encoder = new Encoder();
          VersionedValue.encode(siblings, encoder);
          assertThat(VersionedValue.decodeAll(new Decoder(encoder.finish()))).isEqualTo(siblings);
        });
  }

  @Test
  void allEnginesDoTheSame() {
    Seeds.check(
        60,
        random -> {
          Engine memory = new MemoryEngine();
          Engine cells = new CellEngine(new CodecCheckingStore(new MemoryStore()), "carts");
          for (int i = 0; i < 40; i++) {
            Bytes key = Bytes.ofInts(random.nextInt(3), 255, 0);
            VersionedValue next = random(random);
            int master = random.nextInt(3);
            switch (random.nextInt(5)) {
              case 0 -> {
                List<VersionedValue> gone = memory.get(key).stream().limit(1).toList();
                memory.remove(key, gone);
                cells.remove(key, gone);
              }
              case 1 ->
                  assertThat(cells.putFirst(key, next, master))
                      .isEqualTo(memory.putFirst(key, next, master));
              default -> assertThat(cells.put(key, next)).isEqualTo(memory.put(key, next));
            }
            assertThat(cells.get(key)).isEqualTo(memory.get(key));
          }
          assertThat(cells.entries(null, 2)).isEqualTo(memory.entries(null, 2));
          Bytes middle = Bytes.ofInts(1);
          assertThat(cells.entries(middle, 10)).isEqualTo(memory.entries(middle, 10));
          cells.truncate();
          assertThat(cells.entries(null, 10)).isEmpty();
        });
  }
}
