package io.braid.serving.fetch;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.serving.ServingException;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.build.Manifest;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.StoreVersions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Fetches a version of a store into a directory beside the live ones (section 4.3). Data files come
 * before index files, so that the index is in memory when the version is mapped. The directory gets
 * its name by one rename when everything is there and right; until then a fetch that was stopped,
 * or killed, goes on where it was.
 */
public final class Fetch {
  private static final int TRIES = 5;

  /** A disk with less room, in bytes, is full: files are written in larger pieces. */
  private static final long NO_ROOM = 1 << 20;

  private static final Duration BETWEEN = Duration.ofMillis(200);

  private final Seams seams;
  private final StoreVersions versions;
  private final Source source;
  private final Peers peers;
  private final long version;
  private final Throttle throttle;
  private final int parallel;
  private final AtomicLong fetched = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final AtomicLong spared = new AtomicLong();
  private final AtomicLong copied = new AtomicLong();
  private final Set<String> whole = ConcurrentHashMap.newKeySet();
  private final Set<Peer> givenUp = ConcurrentHashMap.newKeySet();
  private volatile long base;
  private volatile long total;
  private volatile boolean stopped;

  public Fetch(
      Seams seams,
      StoreVersions versions,
      Source source,
      long version,
      Throttle throttle,
      int parallel) {
    this(seams, versions, source, Peers.NONE, version, throttle, parallel);
  }

  /**
   * @param source outside, where all can be had
   * @param peers nodes that some files are rather copied from
   */
  public Fetch(
      Seams seams,
      StoreVersions versions,
      Source source,
      Peers peers,
      long version,
      Throttle throttle,
      int parallel) {
    this.seams = seams;
    this.versions = versions;
    this.source = source;
    this.peers = peers;
    this.version = version;
    this.throttle = throttle;
    this.parallel = parallel;
  }

  /** Bytes that are here, and bytes that there will be; the latter is 0 at first. */
  public long fetched() {
    return fetched.get();
  }

  public long total() {
    return total;
  }

  /** Ends the fetch; a later one goes on where it was. */
  public void stop() {
    stopped = true;
  }

  /**
   * Fetches; does nothing when the version is here already with the same content.
   *
   * @throws ServingException {@code FETCH_FAILED} when it did not come in whole; nothing that is
   *     live was touched
   * @throws ServingException {@code VERSION_REFUSED} when the version cannot be fetched to here
   */
  public Manifest run() throws IOException {
    Manifest manifest = SourceManifest.read(source, versions.store());
    total = manifest.bytes();
    Path target = versions.directory(version);
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS) && isSame(manifest)) {
      fetched.set(total);
      return manifest;
    }
    if (version < versions.live()) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Version "
              + version
              + " of "
              + versions.store()
              + " is below the live version "
              + versions.live()
              + ": new versions have higher numbers.");
    }
    Path partial = partial();
    PartialFolder.prepare(partial, manifest);
    versions.refuseOverQuota(version, manifest.bytes());
    PartialFolder.refuseWithoutRoom(partial, manifest);
    try {
      Map<String, Peers.Copy> copies = peers.of(manifest);
      patch(partial, manifest);
      files(partial, manifest, copies, ".data");
      files(partial, manifest, copies, ".index");
      ManifestFile.write(partial, manifest);
      DurableFiles.syncDirectory(partial);
    } catch (IOException e) {
      boolean full = Files.getFileStore(partial).getUsableSpace() < NO_ROOM;
      if (full) {
        // Other users of this disk need the room more than a fetch that cannot go on.
        DurableFiles.deleteTree(partial);
      }
      throw new ServingException(
          ErrorCode.FETCH_FAILED,
          "Version "
              + version
              + " of "
              + versions.store()
              + " could not be fetched from "
              + source
              + ": "
              + e.getMessage()
              + (full
                  ? ". The disk is full, and what had come is removed: make room, then fetch it"
                      + " again."
                  : ". Fetch it again to go on."),
          e);
    }
    DurableFiles.move(partial, target);
    return manifest;
  }

  /** Makes what can be made of a version that is here; the files are then checked as any other. */
  private void patch(Path partial, Manifest manifest) throws IOException {
    Optional<DeltaPatcher> patching = DeltaPatcher.of(source, versions);
    if (patching.isEmpty()) {
      return;
    }
    for (Map.Entry<String, FileDigest> file : manifest.files().entrySet()) {
      if (stopped) {
        throw new ServingException(ErrorCode.FETCH_FAILED, "The fetch was stopped.");
      }
      long bytes = patching.get().make(file.getKey(), file.getValue(), partial, throttle);
      if (bytes >= 0) {
        spared.addAndGet(file.getValue().bytes() - bytes);
        base = patching.get().version();
      }
    }
  }

  /** The version here that data files were made of, with deltas; 0: none. */
  public long base() {
    return base;
  }

  /** Bytes that were copied from peers. */
  public long copied() {
    return copied.get();
  }

  /** Where a file is that has come in whole, while others are still to come. */
  public Optional<Path> arrived(String file) {
    return whole.contains(file) ? Optional.of(partial().resolve(file)) : Optional.empty();
  }

  private Path partial() {
    return versions.directory(version).resolveSibling("fetching-" + version);
  }

  /** Bytes that needed not come over, because they were in the base. */
  public long spared() {
    return spared.get();
  }

  /**
   * Whether the version is here already; one that is damaged, and was never live, is cleared away.
   */
  private boolean isSame(Manifest manifest) throws IOException {
    Manifest here;
    try {
      here = versions.verify(version, throttle);
    } catch (ServingException | BadManifestException e) {
      versions.discard(version);
      return false;
    }
    if (!here.checksum().equals(manifest.checksum())) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Version "
              + version
              + " of "
              + versions.store()
              + " is here already with other content. Give the new one a higher number.");
    }
    return true;
  }

  /**
   * Fetches the files with a suffix. Files from outside come first, so that nodes that wait for
   * them do not wait for each other.
   */
  private void files(Path partial, Manifest manifest, Map<String, Peers.Copy> copies, String suffix)
      throws IOException {
    Deque<WantedFile> queue = new ArrayDeque<>();
    for (Map.Entry<String, FileDigest> file : manifest.files().entrySet()) {
      if (file.getKey().endsWith(suffix)) {
        String name = file.getKey();
        Peers.Copy copy = copies.get(name);
        WantedFile wanted = new WantedFile(name, file.getValue(), partial.resolve(name), copy);
        if (copy == null) {
          queue.addFirst(wanted);
        } else {
          queue.addLast(wanted);
        }
      }
    }
    List<Task> tasks = new ArrayList<>();
    try {
      for (int i = 0; i < Math.min(parallel, queue.size()); i++) {
        tasks.add(seams.start("fetch-" + versions.store() + "-" + i, () -> work(queue)));
      }
    } catch (OutOfMemoryError e) {
      // The system has no more threads: fewer do it, if there are any.
      if (tasks.isEmpty()) {
        throw e;
      }
    }
    boolean interrupted = false;
    for (Task task : tasks) {
      while (!task.join(Duration.ofSeconds(1))) {
        if (Thread.interrupted()) {
          interrupted = true;
          stop();
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Throwable failed = failure.get();
    if (failed instanceof IOException e) {
      throw e;
    }
    if (failed instanceof RuntimeException e) {
      throw e;
    }
    if (failed instanceof Error e) {
      throw e;
    }
  }

  private void work(Deque<WantedFile> queue) {
    while (failure.get() == null) {
      WantedFile file;
      synchronized (queue) {
        file = queue.poll();
      }
      if (file == null) {
        return;
      }
      try {
        fetch(file);
      } catch (IOException | RuntimeException | Error e) {
        failure.compareAndSet(null, e);
      }
    }
  }

  /** A file that is to come, from a peer if it can be had there. */
  private record WantedFile(
      String name, FileDigest digest, Path target, Peers.@Nullable Copy copy) {}

  private void fetch(WantedFile file) throws IOException {
    if (!copied(file)) {
      for (int attempt = 1; ; attempt++) {
        try {
          fetch(file, source, file.name());
          break;
        } catch (IOException e) {
          if (attempt == TRIES || stopped) {
            throw e;
          }
          seams.sleep(BETWEEN.multipliedBy(attempt));
        }
      }
    }
    whole.add(file.name());
  }

  /**
   * Copies a file from a peer, unless the file is already here. Returns whether the file came from
   * the peer.
   */
  private boolean copied(WantedFile file) throws IOException {
    Peers.Copy copy = file.copy();
    if (copy == null
        || givenUp.contains(copy.peer())
        || (Files.exists(file.target()) && Files.size(file.target()) == file.digest().bytes())) {
      return false;
    }
    boolean came =
        new PeerCopy(seams, copy.peer())
            .run(() -> fetch(file, copy.peer(), copy.name()), this::isOver);
    if (came) {
      copied.addAndGet(file.digest().bytes());
    } else {
      // Every other file would wait for it as long.
      givenUp.add(copy.peer());
    }
    return came;
  }

  private void fetch(WantedFile file, Source from, String name) throws IOException {
    AtomicLong here = new AtomicLong();
    try {
      new FileFetch(from, name, file.digest(), file.target())
          .run(
              throttle,
              bytes -> {
                here.addAndGet(bytes);
                fetched.addAndGet(bytes);
              },
              this::isOver);
    } catch (IOException | RuntimeException e) {
      fetched.addAndGet(-here.get());
      throw e;
    }
  }

  private boolean isOver() {
    return stopped || failure.get() != null;
  }
}
