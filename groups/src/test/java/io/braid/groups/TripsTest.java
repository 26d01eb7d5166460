package io.braid.groups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Fault 40: a deletion marks the group while it ships the rest. If the mark failed, nothing may be
 * released, whatever was shipped; the other way round neither.
 */
class TripsTest {
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());
  private final RuntimeException failure = new IllegalStateException("it failed");

  private void fail() {
    throw failure;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatTheFirstHasThrownIsTold(boolean far) {
    Trips trips = new Trips(new SystemSeams(), far);
    assertThatThrownBy(() -> trips.together(this::fail, () -> done.add("second")))
        .isSameAs(failure);
    assertThat(done).as("begun only if they do not follow each other").hasSize(far ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatTheSecondHasThrownIsToldWhenBothAreDone(boolean far) {
    Trips trips = new Trips(new SystemSeams(), far);
    assertThatThrownBy(() -> trips.together(() -> done.add("first"), this::fail)).isSameAs(failure);
    assertThat(done).containsExactly("first");
  }
}
