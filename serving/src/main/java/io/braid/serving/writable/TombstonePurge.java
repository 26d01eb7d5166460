package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes tuples away that were deleted long ago. Until then a deleted tuple leaves its clock behind,
 * so that an old write that comes late does not bring it back; hints expire before that. A replica
 * that was away for longer must be cleared before it comes back.
 */
public final class TombstonePurge {
  private static final int PAGE = 1000;

  private TombstonePurge() {}

  /**
   * Walks through a store once.
   *
   * @param now milliseconds since 1970
   * @param age of deletions that go; of several siblings all must be such
   * @return how many tuples went
   */
  public static int run(Engine engine, long now, Duration age) {
    int gone = 0;
    @Nullable Bytes last = null;
    while (true) {
      List<Engine.Entry> page = engine.entries(last, PAGE);
      if (page.isEmpty()) {
        return gone;
      }
      for (Engine.Entry entry : page) {
        last = entry.key();
        if (entry.siblings().stream().allMatch(sibling -> isOver(sibling, now, age))) {
          engine.remove(entry.key(), entry.siblings());
          gone++;
        }
      }
    }
  }

  private static boolean isOver(Versioned sibling, long now, Duration age) {
    return sibling.value().isEmpty() && now - sibling.millis() > age.toMillis();
  }
}
