package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.data.Encoder;
import io.braid.core.runtime.Seams;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * How long a node has had something, in time for which the node has been running, in all its lives.
 * No wall clock is read, neither the node's own nor a writer's. So nothing is ever taken for older
 * than it is: not by a clock that is wrong for a day, nor while the node was off.
 *
 * <p>An age counts from the first request for it. The content with that age is kept as a digest:
 * content that has changed since is new.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ContentAges {
  private static final Bytes RUNNING = Bytes.of("running");
  private static final Duration SAVED = Duration.ofMinutes(1);
  private static final int PAGE = 1000;

  private final Seams seams;
  private final Supplier<Engine> kept;
  private final long begun;

  /** How long it ran in earlier lives; null: not looked up yet. */
  private volatile @Nullable Duration before;

  /**
   * @param kept where ages are kept, for nothing else; asked for when it is needed
   */
  public ContentAges(Seams seams, Supplier<Engine> kept) {
    this.seams = seams;
    this.kept = kept;
    this.begun = seams.nanoTime();
  }

  private Optional<VersionedValue> newest(Bytes name) {
    return kept.get().get(name).stream().findFirst();
  }

  private Duration saved() {
    return Duration.ofMillis(newest(RUNNING).map(VersionedValue::millis).orElse(0L));
  }

  /** How long the node has been running; what the last minute of a life adds may be forgotten. */
  private Duration running() {
    Duration earlier = before;
    if (earlier == null) {
      earlier = saved();
      before = earlier;
    }
    return earlier.plusNanos(seams.nanoTime() - begun);
  }

  /** Keeps how long the node has been running. To be called now and then. */
  public void save() {
    Duration now = running();
    if (now.minus(saved()).compareTo(SAVED) >= 0) {
      mark(RUNNING, now, Optional.empty());
    }
  }

  /** For how long something is as it is; zero when this is asked for the first time. */
  Duration of(Bytes name, List<VersionedValue> what) {
    Duration now = running();
    Optional<Bytes> digest = Optional.of(digest(what));
    Optional<VersionedValue> mark = newest(marked(name));
    if (mark.isPresent() && mark.get().value().equals(digest)) {
      return now.minusMillis(mark.get().millis());
    }
    mark(marked(name), now, digest);
    return Duration.ZERO;
  }

  private void mark(Bytes name, Duration at, Optional<Bytes> digest) {
    VectorClock clock = newest(name).map(VersionedValue::clock).orElse(VectorClock.NONE);
    kept.get().put(name, new VersionedValue(clock.incremented(0), at.toMillis(), digest));
  }

  void forget(Bytes name) {
    List<VersionedValue> mark = kept.get().get(marked(name));
    if (!mark.isEmpty()) {
      kept.get().remove(marked(name), mark);
    }
  }

  /** Forgets all names that begin like this and are not wanted any more. */
  void sweep(Bytes prefix, Predicate<Bytes> wanted) {
    Bytes from = marked(prefix);
    @Nullable Bytes last = from;
    while (true) {
      List<Engine.Entry> page = kept.get().entries(last, PAGE);
      for (Engine.Entry entry : page) {
        last = entry.key();
        if (!last.startsWith(from)) {
          return;
        }
        if (!wanted.test(last.slice(from.length()))) {
          kept.get().remove(last, entry.siblings());
        }
      }
      if (page.isEmpty()) {
        return;
      }
    }
  }

  private static Bytes marked(Bytes name) {
    return new Encoder().u8(0).raw(name).finish();
  }

  private static Bytes digest(List<VersionedValue> what) {
    Encoder all = new Encoder();
    VersionedValue.encode(what, all);
    try {
      return Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(all.finish().toArray()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }
}
