package io.braid.store.rocksdb.reads;

import io.braid.store.rocksdb.engine.Engine;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lends cursors to calls. A thread finds its own again as a rule, but owns none: threads come and
 * go, and cursors pin files and memory of RocksDB, so there is a bounded number of idle ones and
 * those that stay idle are closed.
 */
public final class CursorPool {
  private static final int PLACES = 64;

  private final Engine engine;
  private final AtomicReferenceArray<@Nullable Cursors> idle = new AtomicReferenceArray<>(PLACES);

  public CursorPool(Engine engine) {
    this.engine = engine;
  }

  public <T> T lend(Function<Cursors, T> call) {
    Cursors cursors = borrow();
    try {
      return call.apply(cursors);
    } finally {
      giveBack(cursors);
    }
  }

  public Cursors borrow() {
    Cursors cursors = idle.getAndSet(place(), null);
    if (cursors == null) {
      cursors = new Cursors(engine);
    }
    cursors.renew();
    return cursors;
  }

  public void giveBack(Cursors cursors) {
    Cursors surplus = idle.getAndSet(place(), cursors);
    if (surplus != null) {
      surplus.close();
    }
  }

  /** Closes the cursors that were not borrowed since the last call. */
  public void closeUnused() {
    for (int i = 0; i < PLACES; i++) {
      Cursors cursors = idle.getAndSet(i, null);
      if (cursors == null) {
        continue;
      }
      if (!cursors.wasUsed() || !idle.compareAndSet(i, null, cursors)) {
        cursors.close();
      }
    }
  }

  /** Closes all idle cursors. */
  public void closeAll() {
    for (int i = 0; i < PLACES; i++) {
      Cursors cursors = idle.getAndSet(i, null);
      if (cursors != null) {
        cursors.close();
      }
    }
  }

  private static int place() {
    return (int) (Thread.currentThread().getId() & (PLACES - 1));
  }
}
