package io.braid.store.rocksdb.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class PendingVersionsTest {

  @Test
  void firstIsTheLowestOfThoseThatAreThere() {
    SplittableRandom random = new SplittableRandom(11);
    PendingVersions pending = new PendingVersions();
    TreeSet<Long> model = new TreeSet<>();
    long highest = 0;
    for (int i = 0; i < 20_000; i++) {
      if (model.isEmpty() || random.nextInt(40) > model.size()) {
        highest += 1 + random.nextInt(3);
        pending.add(highest);
        model.add(highest);
      } else {
        // Perhaps one that is not there.
        long version = model.first() + random.nextInt(1 + (int) (highest - model.first()));
        pending.remove(version);
        model.remove(version);
      }
      assertThat(pending.first()).isEqualTo(model.isEmpty() ? PendingVersions.NONE : model.first());
    }
    pending.clear();
    assertThat(pending.first()).isEqualTo(PendingVersions.NONE);
  }
}
