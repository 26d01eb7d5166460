package io.braid.serving.node;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.StoreNames;
import io.braid.serving.build.Manifest;
import io.braid.serving.files.Throttle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a store on disk (section 4.2). Every change is one of {@code latest}, which a
 * crash leaves as it was before or after, or one rename of a version's directory.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class StoreVersions {
  private final Path path;
  private final String store;
  private final Seams seams;
  private final VersionFolders folders;
  private final LatestFile latest;
  private final VersionRules rules;
  private final DirectoryReaders readers;

  /**
   * @param lock that all objects for this store have
   */
  StoreVersions(Path path, String store, Seams seams, Object lock, DirectoryReaders readers) {
    this.path = path;
    this.store = store;
    this.seams = seams;
    this.folders = new VersionFolders(path, store);
    this.latest = new LatestFile(path, lock);
    this.readers = readers;
    this.rules = new VersionRules(store);
  }

  public String store() {
    return store;
  }

  Path path() {
    return path;
  }

  Seams seams() {
    return seams;
  }

  /** Where a version lies. */
  public Path directory(long version) {
    return folders.of(version);
  }

  /** The live version; 0 when there is none. */
  public long live() throws IOException {
    return latest().live();
  }

  /** Returns the live version, and how often it has changed. */
  public LiveVersion seen() throws IOException {
    return latest().seen();
  }

  /**
   * Refuses a change when the live version has changed since it was asked for.
   *
   * @throws ServingException {@code VERSION_REFUSED} then
   */
  public void requireUnchanged(LiveVersion seen) throws IOException {
    rules.requireUnchanged(seen, seen());
  }

  VersionRules rules() {
    return rules;
  }

  LatestRecord latest() throws IOException {
    return latest.read();
  }

  /**
   * Returns the number for a new version if the caller names none: one above the live version and
   * all versions that are there.
   */
  public long next() throws IOException {
    long most = live();
    for (long version : numbers()) {
      most = Math.max(most, version);
    }
    return StoreNames.version(most + 1);
  }

  /**
   * Returns the version that a swap means if the caller names none: the highest that was not rolled
   * back.
   *
   * @throws ServingException {@code VERSION_REFUSED} when there is none, or when it is live and the
   *     versions above it were rolled back
   */
  public long newest() throws IOException {
    LatestRecord now = latest();
    List<Long> rolledBack = new ArrayList<>();
    List<Long> numbers = numbers();
    for (int i = numbers.size() - 1; i >= 0; i--) {
      long version = numbers.get(i);
      if (!now.rolledBack().containsKey(version)) {
        if (version < now.live() || (version == now.live() && !rolledBack.isEmpty())) {
          break;
        }
        return version;
      }
      rolledBack.add(version);
    }
    throw rules.nothingNew(now.live(), rolledBack);
  }

  /** The numbers of the versions that are there. */
  public List<Long> numbers() throws IOException {
    return folders.numbers();
  }

  public List<VersionInfo> versions() throws IOException {
    LatestRecord state = latest();
    List<VersionInfo> versions = new ArrayList<>();
    for (long version : numbers()) {
      versions.add(folders.info(state, version));
    }
    return versions;
  }

  /**
   * The manifest of a version, if all its files are there with the right lengths.
   *
   * @throws ServingException {@code VERSION_REFUSED} when it is not whole
   */
  public Manifest whole(long version) throws IOException {
    return folders.whole(version);
  }

  /**
   * Reads every file of a version and compares its SHA-256 with the manifest.
   *
   * @throws ServingException {@code VERSION_REFUSED} names the file that differs
   */
  public Manifest verify(long version) throws IOException {
    return verify(version, new Throttle(seams, 0));
  }

  /** As {@link #verify(long)}, as fast as others let it. */
  public Manifest verify(long version, Throttle throttle) throws IOException {
    return folders.verify(version, throttle);
  }

  /** Reads every tuple of a version and looks it up. */
  public void verifyLookups(long version) throws IOException {
    folders.verifyLookups(version);
  }

  /**
   * Whether a version may go live now: above the live one, and not suspiciously small unless
   * forced.
   *
   * @param before what is live; null when nothing is
   * @throws ServingException {@code VERSION_REFUSED} when it may not
   */
  void admit(long version, Manifest manifest, @Nullable Manifest before, boolean force)
      throws IOException {
    rules.admit(version, manifest, latest(), before, force);
  }

  /** Makes a version the live one. The caller has admitted it. */
  public void swap(long version) throws IOException {
    latest.change(now -> swapped(now, version, "", Optional.empty()));
  }

  /**
   * Makes a version the live one if {@link #admit admit} lets it, and remembers the push it came
   * by: all at once.
   *
   * @param push its id; empty: none
   * @throws ServingException {@code VERSION_REFUSED} when it may not go live
   */
  void swap(
      long version,
      Manifest manifest,
      @Nullable Manifest before,
      boolean force,
      String push,
      Optional<MissedPush> missed)
      throws IOException {
    latest.change(
        now -> {
          rules.admit(version, manifest, now, before, force);
          return swapped(now, version, push, missed);
        });
  }

  private static LatestRecord swapped(
      LatestRecord now, long version, String push, Optional<MissedPush> missed) {
    LatestRecord next = now.live() == version ? now : now.swapped(version);
    return push.isEmpty() ? next : next.pushed(push, version, missed);
  }

  /** The version that a push made live here; 0 when none did, or it was undone. */
  public long pushed(String id) throws IOException {
    return latest().pushes().getOrDefault(id, 0L);
  }

  /** Returns the nodes that missed the push of the live version. */
  public Optional<MissedPush> missed() throws IOException {
    LatestRecord now = latest();
    return now.missed().filter(missed -> missed.version() == now.live());
  }

  /** Notes that a push has gone through on all nodes that did not miss it. */
  public void confirm(String push) throws IOException {
    latest.change(now -> now.confirmed(push));
  }

  /** Bytes that all versions together may have; 0: any number. */
  public long quota() throws IOException {
    return latest().quota();
  }

  /** Sets a limit for the bytes of all versions, not negative; 0: none. */
  public void limit(long bytes) throws IOException {
    if (bytes < 0) {
      throw new IllegalArgumentException("A quota is a number of bytes, or 0 for none.");
    }
    Files.createDirectories(path);
    latest.change(now -> now.limited(bytes));
  }

  /**
   * Refuses bytes that are over the store's quota.
   *
   * @throws ServingException {@code VERSION_REFUSED} names what is there
   */
  public void refuseOverQuota(long version, long bytes) throws IOException {
    long quota = quota();
    if (quota == 0) {
      return;
    }
    long there = 0;
    for (VersionInfo info : versions()) {
      Manifest manifest = info.manifest();
      if (manifest != null && info.version() != version) {
        there += manifest.bytes();
      }
    }
    rules.refuseOverQuota(version, bytes, there, quota);
  }

  /**
   * The version that a rollback goes to: the one asked for, or the last that was live before.
   *
   * @param version 0: the last one
   */
  public long rollbackTarget(long version) throws IOException {
    LatestRecord now = latest();
    Rollback why = now.rolledBack().get(version);
    if (why != null) {
      throw rules.rolledBack(version, why);
    }
    return rules.rollbackTarget(now.served(), version);
  }

  /** Goes back to a version that was live before; the one that was live is taken back. */
  public void rollBack(long version) throws IOException {
    latest.change(now -> now.rolledBack(version).takenBack(now.live()));
  }

  /** Notes that a version which is not live must not become so by what is still on its way. */
  void takeBack(long version, Rollback why) throws IOException {
    Files.createDirectories(path);
    latest.change(now -> now.takenBack(version).marked(version, why));
  }

  /**
   * Takes over that a version was rolled back where it came from, unless it is live here, or was.
   */
  public void mark(long version, Rollback why) throws IOException {
    latest.change(now -> now.served().contains(version) ? now : now.marked(version, why));
  }

  /** Why versions are live no more, and which. */
  public Map<Long, Rollback> rolledBack() throws IOException {
    return latest().rolledBack();
  }

  /**
   * Lets a version go live again: another push prepares it.
   *
   * @throws ServingException {@code VERSION_REFUSED} when it was rolled back, and is not forced
   */
  void prepared(long version, boolean force) throws IOException {
    latest.change(
        now -> {
          rules.refuseRolledBack(version, now, force);
          return now.notTakenBack(version);
        });
  }

  boolean isTakenBack(long version) throws IOException {
    return latest().takenBack().contains(version);
  }

  /**
   * Refuses a version that was taken back, or rolled back before it came, and not prepared since.
   *
   * @throws ServingException {@code VERSION_REFUSED} then
   */
  public void refuseTakenBack(long version) throws IOException {
    if (isTakenBack(version)) {
      throw rules.takenBack(version);
    }
  }

  /** Notes that a push has ended for good, also for a node that is started again. */
  public void end(String push) throws IOException {
    latest.change(now -> now.ended(push));
  }

  /**
   * Refuses a push that has ended for good.
   *
   * @throws ServingException {@code VERSION_REFUSED} then
   */
  public void refuseEnded(String push) throws IOException {
    if (latest().ended().contains(push)) {
      throw rules.ended(push);
    }
  }

  /** Goes back from a version that should not have gone live, and forgets its push. */
  void takeBack(long version, long to) throws IOException {
    latest.change(now -> now.undone(to).takenBack(version).forgotten(version));
  }

  /** Takes the live version back, when none was live before it. */
  void withdraw() throws IOException {
    latest.change(now -> now.withdrawn().takenBack(now.live()).forgotten(now.live()));
  }

  /**
   * Clears a version away that cannot be used, so that it can be fetched again.
   *
   * @throws ServingException {@code VERSION_REFUSED} when it is live, or was and may be gone back
   *     to
   */
  public void discard(long version) throws IOException {
    if (latest().served().contains(version)) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Version "
              + version
              + " of "
              + store
              + " is damaged, and is live or a backup. Give the new one a higher number.");
    }
    trash().take(directory(version));
  }

  /**
   * Pins a version, which is then never deleted, or takes the pin off.
   *
   * @throws ServingException {@code VERSION_REFUSED} when it is not whole, or has no pin that could
   *     be taken off
   */
  public void pin(long version, boolean pin) throws IOException {
    latest.change(
        now -> {
          if (pin) {
            whole(version);
          } else if (!now.pinned().contains(version)) {
            throw new ServingException(
                ErrorCode.VERSION_REFUSED, "Version " + version + " of " + store + " has no pin.");
          }
          return now.pinned(version, pin);
        });
  }

  /**
   * Takes old versions out of the list: all that are below the live one, but for the last {@code
   * backups} that were live and those that are pinned. They are renamed, and deleted later by
   * {@link Trash}.
   */
  public Set<Long> retire(int backups) throws IOException {
    Set<Long> retired = new TreeSet<>();
    latest.change(
        now -> {
          retired.addAll(toRetire(now, backups));
          return now.without(retired);
        });
    for (long version : retired) {
      trash().take(directory(version));
    }
    return retired;
  }

  private Set<Long> toRetire(LatestRecord now, int backups) throws IOException {
    List<Long> served = now.served();
    Set<Long> kept = new TreeSet<>(now.pinned());
    kept.addAll(served.subList(Math.max(0, served.size() - 1 - backups), served.size()));
    Set<Long> retired = new TreeSet<>();
    for (long version : numbers()) {
      if (version < now.live() && !kept.contains(version)) {
        retired.add(version);
      }
    }
    return retired;
  }

  /**
   * Takes over what was live elsewhere, if nothing ever was here and those versions are whole.
   *
   * @param served in the order in which they went live
   * @return whether a version is live now
   */
  boolean adopt(List<Long> served) throws IOException {
    latest.change(
        now -> {
          LatestRecord next = now;
          for (long version : served) {
            if (now.live() == 0 && numbers().contains(version)) {
              whole(version);
              next = next.swapped(version);
            }
          }
          return next;
        });
    return latest().live() != 0;
  }

  /** Returns the chunks of a version, for moving partitions. */
  public VersionChunks chunks(long version) {
    return new VersionChunks(this, version);
  }

  /** Which versions were live, in that order: the last one is. */
  public List<Long> served() throws IOException {
    return latest().served();
  }

  /** Where deleted versions wait. */
  public Trash trash() {
    return new Trash(path.resolve(".trash"), seams, readers);
  }
}
