package io.braid.serving.node;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.build.Manifest;
import io.braid.serving.chunk.Search;
import io.braid.serving.files.Throttle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A store that answers (section 4.3). Reading takes no lock. A swap has two parts: {@link #prepare
 * prepare} checks, maps and warms the new version beside the live one, however long it takes;
 * {@link #swap swap} changes {@code latest} on disk and one reference in memory. Versions that were
 * live stay mapped while they are kept, so a rollback is as short.
 *
 * <p>Changes are made one at a time, but nothing waits for the reading through of a version: a
 * rollback goes ahead of it. The caller owns the node's directory. Safe for many threads.
 *
 * <pre>{@code
 * try (NodeDirectory node = NodeDirectory.own(Path.of("node"), new SystemSeams());
 *     ServedStore people = ServedStore.open(node.store("people"), Search.BINARY)) {
 *   Optional<Bytes> ann = people.get(Bytes.of("ann"));
 *   people.swap(8, false); // version 8 is there; reads that began end in the one before
 * }
 * }</pre>
 *
 * <p>Reads throw {@link ServingException}: {@code NOTHING_LIVE} before a version was swapped in,
 * {@code WRONG_NODE} for keys that other nodes hold, and {@code DAMAGED} where a file is damaged.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ServedStore implements AutoCloseable {
  private final StoreVersions versions;
  private final Throttle throttle;
  private final OpenVersions mapped;

  private volatile @Nullable OpenVersion live;

  /** Why nothing answers; empty when nothing was swapped in. */
  private volatile String damage = "";

  private ServedStore(StoreVersions versions, Search search, Throttle throttle) {
    this.versions = versions;
    this.mapped = new OpenVersions(versions, search);
    this.throttle = throttle;
  }

  /**
   * Opens a store with the version that {@code latest} names, if it names one. Its files are there
   * and of the right lengths; every read is checked by itself, so they are not read through first.
   *
   * @param search how sorted indexes are searched; of no account for other kinds
   * @throws ServingException {@code VERSION_REFUSED} when the version is not whole
   */
  public static ServedStore open(StoreVersions versions, Search search) throws IOException {
    return open(versions, search, new Throttle(versions.seams(), 0));
  }

  /**
   * As {@link #open(StoreVersions, Search)}.
   *
   * @param throttle how fast versions are read through
   */
  public static ServedStore open(StoreVersions versions, Search search, Throttle throttle)
      throws IOException {
    ServedStore store = new ServedStore(versions, search, throttle);
    long version = versions.live();
    if (version != 0) {
      store.serve(store.mapped.map(version, versions.whole(version)));
    }
    return store;
  }

  /**
   * Opens a store whose live version is damaged: it answers nothing before another version is
   * swapped in.
   *
   * @param damage a sentence for the caller
   */
  public static ServedStore silent(
      StoreVersions versions, Search search, Throttle throttle, String damage) {
    ServedStore store = new ServedStore(versions, search, throttle);
    store.damage = damage;
    return store;
  }

  /** Its versions on disk. */
  public StoreVersions versions() {
    return versions;
  }

  /** The version that answers; 0 when there is none. */
  public long version() {
    OpenVersion open = live;
    return open == null ? 0 : open.version();
  }

  /** Returns the manifest of the live version; empty when there is none. */
  public Optional<Manifest> manifest() {
    OpenVersion open = live;
    return open == null ? Optional.empty() : Optional.of(open.manifest());
  }

  /**
   * Holds the live version. The caller gives the lease back by closing it.
   *
   * @throws ServingException {@code NOTHING_LIVE} when no version was swapped in yet
   */
  public Lease lease() {
    while (true) {
      OpenVersion open = live;
      if (open == null) {
        throw nothingLive();
      }
      int stripe = open.enter();
      if (stripe >= 0) {
        return new Lease(open, stripe);
      }
    }
  }

  /**
   * Holds a version that is live, or was and can still be read: for a reader that began in it.
   * Takes no lock while it is mapped.
   *
   * @throws ServingException {@code VERSION_REFUSED} when it cannot be read any more, or was taken
   *     back
   */
  public Lease lease(long version) throws IOException {
    while (true) {
      OpenVersion open = mapped.get(version);
      if (open == null) {
        open = mapBackup(version);
      }
      int stripe = open.isServed() ? open.enter() : -1;
      if (stripe >= 0) {
        return new Lease(open, stripe);
      }
      if (mapped.get(version) == open) {
        throw gone(version);
      }
    }
  }

  private ServingException nothingLive() {
    return new ServingException(
        ErrorCode.NOTHING_LIVE,
        damage.isEmpty()
            ? "Store " + versions.store() + " has no live version here. Fetch one and swap it in."
            : "Store "
                + versions.store()
                + " answers nothing here: "
                + damage
                + " Swap another version in, roll back, or fetch this one again.");
  }

  /** Reads for one thread, without taking and giving back a lease each time. */
  public StoreReader reader() {
    return new StoreReader(this);
  }

  @Nullable OpenVersion live() {
    return live;
  }

  private synchronized OpenVersion mapBackup(long version) throws IOException {
    if (!versions.latest().served().contains(version)) {
      throw gone(version);
    }
    OpenVersion open = mapped.map(version, versions.whole(version));
    open.served(true);
    return open;
  }

  private ServingException gone(long version) {
    return new ServingException(
        ErrorCode.VERSION_REFUSED,
        "Version " + version + " of " + versions.store() + " cannot be read here any more.");
  }

  private void serve(OpenVersion open) {
    open.served(true);
    live = open;
  }

  /** A copy of the value of a key in the live version; empty when there is none. */
  public Optional<Bytes> get(Bytes key) {
    try (Lease lease = lease()) {
      return lease.get(key);
    }
  }

  /** Several keys, all read in one version. */
  public List<Optional<Bytes>> getAll(List<Bytes> keys) {
    try (Lease lease = lease()) {
      List<Optional<Bytes>> values = new ArrayList<>(keys.size());
      for (Bytes key : keys) {
        values.add(lease.get(key));
      }
      return values;
    }
  }

  /**
   * Makes a version ready to go live: reads it through and compares all checksums, maps it, brings
   * its index into memory. The rate is limited by the store's throttle, since this takes disk and
   * processor from readers.
   *
   * @param force also when it has suspiciously few keys beside the live one, or was rolled back
   * @throws ServingException {@code VERSION_REFUSED} when it cannot go live
   */
  public void prepare(long version, boolean force) throws IOException {
    versions.prepared(version, force);
    ready(version, force);
  }

  /** As {@link #prepare prepare}, forced; but a version that was taken back here stays so. */
  public void prepareAgain(long version) throws IOException {
    ready(version, true);
  }

  private void ready(long version, boolean force) throws IOException {
    Manifest manifest = versions.verify(version, throttle);
    OpenVersion open;
    synchronized (this) {
      versions.admit(version, manifest, manifest().orElse(null), force);
      open = mapped.map(version, manifest);
    }
    int stripe = open.enter();
    if (stripe >= 0) {
      try {
        open.warm(throttle);
      } finally {
        open.leave(stripe);
      }
    }
  }

  /** A condition of a change; throws where it does not hold. */
  public interface Condition {
    void check() throws IOException;
  }

  /**
   * Makes a version live: prepares it if it is not prepared yet, then flips.
   *
   * @param force as for {@link #prepare prepare}
   * @throws ServingException {@code VERSION_REFUSED} when it may not go live; the earlier version
   *     stays live
   */
  public void swap(long version, boolean force) throws IOException {
    swap(version, force, "", Optional.empty(), () -> {});
  }

  /**
   * As {@link #swap(long, boolean)}, as a part of a push. One that was late, and finds the version
   * taken back already, is refused: the other nodes do not have it any more.
   *
   * @param push its id; empty: none
   * @param allowed throws if the swap must not be made any more; asked when nothing else can come
   *     between
   */
  public void swap(
      long version, boolean force, String push, Optional<MissedPush> missed, Condition allowed)
      throws IOException {
    if (!isPrepared(version)) {
      ready(version, force);
    }
    flip(version, force, push, missed, allowed);
  }

  /** Whether a swap to this version is a matter of milliseconds. */
  public boolean isPrepared(long version) {
    return mapped.isPrepared(version);
  }

  /**
   * Tries a version out that is prepared, on a share of the keys that are read meanwhile. Nothing
   * that is read changes.
   *
   * @return what was seen; nothing, when no version is live to compare with
   * @throws ServingException {@code VERSION_REFUSED} when the version should not go live
   */
  public CanaryReport canary(long version, CanaryPlan plan) {
    OpenVersion next = mapped.get(version);
    if (next == null) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Version " + version + " of " + versions.store() + " is not prepared.");
    }
    OpenVersion before = live;
    if (before == null || before == next) {
      return CanaryReport.NOTHING;
    }
    int stripe = next.enter();
    if (stripe < 0) {
      throw gone(version);
    }
    try (Lease fresh = new Lease(next, stripe);
        Lease old = lease()) {
      ReadSample sample = new ReadSample(versions.seams(), plan.share());
      before.sample(sample);
      try {
        return new Canary(versions.seams(), plan, old, fresh).run(sample);
      } finally {
        before.sample(null);
      }
    }
  }

  private synchronized void flip(
      long version, boolean force, String push, Optional<MissedPush> missed, Condition allowed)
      throws IOException {
    allowed.check();
    OpenVersion next = mapped.get(version);
    if (next == null) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Version "
              + version
              + " of "
              + versions.store()
              + " went away while it was made ready. Fetch it again.");
    }
    if (!push.isEmpty()) {
      versions.refuseTakenBack(version);
    }
    versions.swap(version, next.manifest(), manifest().orElse(null), force, push, missed);
    serve(next);
  }

  /**
   * Goes back to a version that was live before.
   *
   * @param version 0: the last one
   * @return the version that is live now
   * @throws ServingException {@code VERSION_REFUSED} when there is none to go back to
   */
  public long rollBack(long version) throws IOException {
    return rollBack(version, LiveVersion.ANYTHING, () -> {});
  }

  /**
   * As {@link #rollBack(long)}, unless another version went live meanwhile; does nothing when the
   * rollback was made already.
   *
   * @param seen what was live where the rollback was asked for, and how often that had changed here
   * @param ending is called before anything changes
   */
  public synchronized long rollBack(long version, LiveVersion seen, Condition ending)
      throws IOException {
    boolean there = version != 0 && version == version();
    boolean yetToCome = seen.live() > version();
    if (there && (!yetToCome || versions.isTakenBack(seen.live()))) {
      return version;
    }
    versions.requireUnchanged(seen);
    if (yetToCome) {
      // Nodes that missed that version must not catch up with it when the others go back.
      ending.check();
      versions.takeBack(seen.live(), Rollback.BEFORE_IT_CAME);
    }
    if (there) {
      return version;
    }
    if (seen.live() != 0 && seen.live() != version()) {
      throw versions.rules().notLive(seen.live(), version());
    }
    long target = versions.rollbackTarget(version);
    OpenVersion back = mapped.mapOrGet(target);
    ending.check();
    versions.rollBack(target);
    serve(back);
    mapped.takeAwayAbove(target);
    return target;
  }

  /**
   * Undoes a swap: if {@code version} is live by it, the one that was live before is so again, or
   * none. A swap of the same push that is still on its way is refused when it comes.
   *
   * @param flips how often the live version had changed before that swap; -1: however often
   * @return the version that is live now; 0 when there is none
   */
  public synchronized long takeBack(long version, long flips) throws IOException {
    LiveVersion now = versions.seen();
    if (version() != version) {
      if (new LiveVersion(0, flips).isStill(now)) {
        versions.takeBack(version, Rollback.BY_PUSH);
      }
      return version();
    }
    if (flips >= 0 && now.flips() != flips + 1) {
      return version;
    }
    if (versions.served().size() > 1) {
      long target = versions.rollbackTarget(0);
      OpenVersion back = mapped.mapOrGet(target);
      versions.takeBack(version, target);
      serve(back);
      mapped.takeAwayAbove(target);
      return target;
    }
    versions.withdraw();
    live = null;
    mapped.takeAwayAbove(0);
    return 0;
  }

  /**
   * Lets old versions go: all but the last {@code backups} that were live, and the pinned ones.
   * Readers that still hold one finish undisturbed; its files are unmapped by a later call.
   */
  public synchronized void retire(int backups) throws IOException {
    versions.retire(backups);
    mapped.retire(versions.numbers(), live);
  }

  /**
   * Maps a version again whose manifest has changed: partitions came or went (section 4.3.2).
   * Readers that hold the old mapping finish on it.
   */
  public synchronized void remap(long version) throws IOException {
    OpenVersion old = mapped.get(version);
    if (old != null) {
      OpenVersion fresh = mapped.remap(old);
      if (live == old) {
        live = fresh;
      }
      mapped.letGo(old);
    }
  }

  /** Serves versions that came from other nodes, when nothing was ever live here. */
  public synchronized void adopt(List<Long> served) throws IOException {
    if (live == null && versions.adopt(served)) {
      long version = versions.live();
      serve(mapped.map(version, versions.whole(version)));
    }
  }

  @Override
  public synchronized void close() {
    live = null;
    mapped.close();
  }
}
