package io.braid.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacesTest {
  private final Places<Long> places = new Places<>();

  @Test
  void tellsTheLowestOfWhatIsOpen() {
    assertThat(lowest()).isEqualTo(Long.MAX_VALUE);
    Places.Place<Long> first = places.add(7L);
    places.add(9L);
    assertThat(lowest()).isEqualTo(7);

    first.free(7L);

    assertThat(lowest()).isEqualTo(9);
  }

  @Test
  void hasAPlaceForEverybody() {
    Long[] things = new Long[1_000];
    List<Places.Place<Long>> taken = new ArrayList<>();
    for (int i = 0; i < things.length; i++) {
      things[i] = 1_000_000L + i;
      taken.add(places.add(things[i]));
    }
    assertThat(taken).doesNotHaveDuplicates();
    for (int i = 0; i < things.length; i++) {
      assertThat(lowest()).isEqualTo(1_000_000L + i);
      taken.get(i).free(things[i]);
    }
    assertThat(lowest()).isEqualTo(Long.MAX_VALUE);
  }

  /** Who frees twice does not free what has the place now. */
  @Test
  void freesNobodyElse() {
    Long first = 7_000_000L;
    Places.Place<Long> place = places.add(first);
    place.free(first);
    Long second = 9_000_000L;
    assertThat(places.add(second)).isSameAs(place);

    place.free(first);

    assertThat(lowest()).isEqualTo(9_000_000L);
  }

  private long lowest() {
    return places.lowest(Long::longValue, Long.MAX_VALUE);
  }
}
