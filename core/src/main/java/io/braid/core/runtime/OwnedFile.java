package io.braid.core.runtime;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A file that one process at a time owns, for as long as the process lives.
 *
 * <p>Three sources tell the owner, each where the one before says nothing:
 *
 * <ul>
 *   <li>Within a process, memory.
 *   <li>A lock of the operating system. POSIX gives up all locks of a process on a file when it
 *       closes <em>any</em> descriptor of the file, as a copy of the folder does. So a free lock
 *       proves nothing, and every beat takes the lock again.
 *   <li>The {@linkplain OwnerRecord record} in the file. Where the owner's process can be seen, the
 *       record says whether it lives, also while it is stopped. From another container or machine,
 *       the heartbeat says so: the file's time of modification moves every {@link #BEAT}.
 * </ul>
 *
 * <p>A process that finds a record that does not move for {@link #WATCH} puts its own record in
 * place and waits for {@link #LEASE}. It owns the file if its record is still there then. An owner
 * relies on its last look for the length of a lease only. {@link #isOurs} looks again, and is false
 * for good once the file contains another record. So an owner that was held up finds out before it
 * writes again.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class OwnedFile implements AutoCloseable {
  static final Duration BEAT = Duration.ofMillis(500);
  static final Duration LEASE = Duration.ofSeconds(2);
  static final Duration WATCH = Duration.ofSeconds(3);

  private static final Set<Path> OWNED_HERE = ConcurrentHashMap.newKeySet();

  /**
   * Held while a file is looked at, so that no thread can begin to own it meanwhile: closing the
   * file after the look gives up the lock. Fair, so that constant looks do not keep a thread from
   * owning.
   */
  private static final ReentrantLock LOOKING = new ReentrantLock(true);

  /** The locked byte. It is far behind the text, so that others can read who the owner is. */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private static final Duration LOOK = Duration.ofMillis(100);

  private final Path path;

  /** Not a channel: a channel closes, and gives up the lock, when a thread is interrupted in it. */
  private final RandomAccessFile file;

  private final OwnerRecord self;
  private final Seams seams;
  private final Object monitor = new Object();

  private volatile long renewed;
  private volatile @Nullable String lost;
  private volatile Runnable whenLost = () -> {};

  private volatile boolean closed;
  private @Nullable Task beats;

  // Guarded by the monitor.
  private @Nullable FileLock lock;

  private OwnedFile(
      Path path, RandomAccessFile file, @Nullable FileLock lock, OwnerRecord self, Seams seams) {
    this.path = path;
    this.file = file;
    this.lock = lock;
    this.self = self;
    this.seams = seams;
    this.renewed = seams.nanoTime();
  }

  /**
   * Takes ownership of a file in an existing directory; creates the file if it is missing. Waits
   * for seconds where the last owner was of another container or machine, and did not give the file
   * up.
   *
   * @return null when another process or this one owns the file already
   */
  public static @Nullable OwnedFile tryOwn(Path file) throws IOException {
    return UninterruptedWork.again(
            () -> Optional.ofNullable(tryOwn(file, OwnerRecord::ofThisProcess, new SystemSeams())))
        .orElse(null);
  }

  /** Describes this process to the owner of a file with this key. */
  interface Self {
    OwnerRecord of(String fileKey);
  }

  static @Nullable OwnedFile tryOwn(Path file, Self self, Seams seams) throws IOException {
    Path path = real(file);
    if (!addOwned(path)) {
      return null;
    }
    OwnedFile owned = null;
    try {
      RandomAccessFile open = new RandomAccessFile(path.toFile(), "rw");
      try {
        FileLock lock = tryLock(open);
        OwnerRecord record = self.of(key(path));
        if (lock != null && take(path, open, record, seams)) {
          owned = new OwnedFile(path, open, lock, record, seams);
          owned.beats = seams.start("braid-owner", EnduringLoop.loop(owned::beat));
        }
        return owned;
      } finally {
        if (owned == null) {
          open.close();
        }
      }
    } finally {
      if (owned == null) {
        OWNED_HERE.remove(path);
      }
    }
  }

  private static boolean addOwned(Path path) {
    LOOKING.lock();
    try {
      return OWNED_HERE.add(path);
    } finally {
      LOOKING.unlock();
    }
  }

  /** Writes the record, if no other owner lives. */
  private static boolean take(Path path, RandomAccessFile file, OwnerRecord self, Seams seams)
      throws IOException {
    OwnerRecord before = OwnerRecord.parse(read(file));
    if (before != null && !isSeen(before, self)) {
      return takeSilent(path, file, self, seams);
    }
    if (before != null && !before.isOfProcess(self)) {
      if (before.runs()) {
        return false;
      }
      if (!before.user().equals(self.user())) {
        // The system may hide processes of other users: only the heartbeat tells whether they live.
        return takeSilent(path, file, self, seams);
      }
    }
    write(file, self.toBytes());
    return true;
  }

  private static boolean takeSilent(Path path, RandomAccessFile file, OwnerRecord self, Seams seams)
      throws IOException {
    FileTime seen = Files.getLastModifiedTime(path);
    long begin = seams.nanoTime();
    while (seams.nanoTime() - begin < WATCH.toNanos()) {
      seams.sleep(LOOK);
      if (!Files.getLastModifiedTime(path).equals(seen)) {
        return false;
      }
    }
    write(file, self.toBytes());
    begin = seams.nanoTime();
    while (seams.nanoTime() - begin <= LEASE.toNanos()) {
      seams.sleep(LOOK);
    }
    return isRecord(file, self);
  }

  /** Whether this process owns a file: then it must not be opened once more. */
  public static boolean isOwnedHere(Path file) throws IOException {
    return OWNED_HERE.contains(real(file));
  }

  /**
   * Returns whether a process owns a file now, as far as known without waiting: the heartbeat is
   * not consulted.
   */
  public static boolean isOwned(Path file) throws IOException {
    Path path = real(file);
    if (!Files.exists(path)) {
      return false;
    }
    LOOKING.lock();
    try {
      return OWNED_HERE.contains(path) || isOwnedElsewhere(path);
    } finally {
      LOOKING.unlock();
    }
  }

  private static boolean isOwnedElsewhere(Path path) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(path.toFile(), "rw")) {
      OwnerRecord owner = OwnerRecord.parse(read(open));
      OwnerRecord self = OwnerRecord.ofThisProcess(key(path));
      return tryLock(open) == null
          || owner != null && isSeen(owner, self) && !owner.isOfProcess(self) && owner.runs();
    }
  }

  /** Whether the owner's process can be seen, and the file is not a copy of the one it owns. */
  private static boolean isSeen(OwnerRecord owner, OwnerRecord self) {
    return self.sees(owner) && self.file().equals(owner.file());
  }

  /** Describes the owner of a file, for people. To be called after {@link #tryOwn} has failed. */
  public static String owner(Path file) throws IOException {
    if (isOwnedHere(file)) {
      return "pid " + ProcessHandle.current().pid() + ", which is this process";
    }
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
      byte[] bytes = read(open);
      OwnerRecord owner = OwnerRecord.parse(bytes);
      String text = new String(bytes, StandardCharsets.UTF_8).strip();
      if (owner != null) {
        return owner.name(OwnerRecord.ofThisProcess(""));
      }
      return text.isEmpty() ? "another process" : text;
    }
  }

  private static @Nullable FileLock tryLock(RandomAccessFile file) throws IOException {
    try {
      return file.getChannel().tryLock(LOCKED_BYTE, 1, false);
    } catch (OverlappingFileLockException e) {
      // This process, by classes that another loader has loaded.
      return null;
    }
  }

  private static Path real(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path parent = absolute.getParent();
    return parent == null ? absolute : parent.toRealPath().resolve(absolute.getFileName());
  }

  private static String key(Path path) throws IOException {
    return String.valueOf(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
  }

  private static byte[] read(RandomAccessFile file) throws IOException {
    byte[] bytes = new byte[OwnerRecord.LONGEST];
    file.seek(0);
    int length = 0;
    for (int n = 0;
        n >= 0 && length < bytes.length;
        n = file.read(bytes, length, bytes.length - length)) {
      length += n;
    }
    return Arrays.copyOf(bytes, length);
  }

  private static void write(RandomAccessFile file, byte[] bytes) throws IOException {
    file.seek(0);
    file.write(bytes);
    file.setLength(bytes.length);
  }

  private static boolean isRecord(RandomAccessFile file, OwnerRecord record) throws IOException {
    OwnerRecord there = OwnerRecord.parse(read(file));
    return there != null && there.token().equals(record.token());
  }

  private void beat() {
    while (!closed && lost == null) {
      seams.sleep(BEAT);
      renew();
    }
  }

  /**
   * Returns whether this process may still write the data that the file protects. False for good
   * once another process has taken the file; false also while ownership is unknown.
   */
  public boolean isOurs() {
    if (lost != null) {
      return false;
    }
    if (!isOld()) {
      return true;
    }
    renew();
    return lost == null && !isOld();
  }

  private boolean isOld() {
    return seams.nanoTime() - renewed >= LEASE.toNanos();
  }

  /** Returns, for people, why the file is not {@link #isOurs ours}. */
  public String whyNot() {
    String why = lost;
    return why == null ? "Whether this process still owns " + path + " cannot be told." : why;
  }

  /**
   * Sets the action to run once another process has taken the file. It runs on a thread of this
   * object.
   */
  public void whenLost(Runnable action) {
    whenLost = action;
  }

  /** Beats, and checks whether the file still contains this process's record. */
  private void renew() {
    long now = seams.nanoTime();
    String why = look();
    if (why == null) {
      return;
    }
    if (why.isEmpty()) {
      renewed = Math.max(renewed, now);
      return;
    }
    boolean first;
    synchronized (monitor) {
      first = lost == null;
      lost = why;
    }
    if (first) {
      whenLost.run();
    }
  }

  /**
   * Returns an empty text while the record is in place, null when its state is unknown, else what
   * happened to it.
   */
  private @Nullable String look() {
    synchronized (monitor) {
      if (closed) {
        return null;
      }
      try {
        FileTime last = Files.getLastModifiedTime(path);
        FileTime now = FileTime.fromMillis(seams.wallMillis());
        FileTime next = now.equals(last) ? FileTime.fromMillis(now.toMillis() + 1) : now;
        Files.setLastModifiedTime(path, next);
        if (!key(path).equals(self.file()) || !isRecord(file, self)) {
          return path + " was taken by " + owned() + ". This process has stopped using it.";
        }
        lockAgain();
        return "";
      } catch (NoSuchFileException e) {
        return path + " was removed while it was in use. This process has stopped using it.";
      } catch (IOException e) {
        return null;
      }
    }
  }

  private String owned() throws IOException {
    OwnerRecord there = OwnerRecord.parse(read(file));
    return there == null ? "somebody else" : there.name(self);
  }

  /** The lock is gone if this process has closed another descriptor of the file. */
  private void lockAgain() throws IOException {
    FileLock before = lock;
    if (before != null) {
      before.release();
    }
    lock = tryLock(file);
  }

  /** Gives it up, if it is still ours. */
  @Override
  public void close() throws IOException {
    closed = true;
    Task task = beats;
    if (task != null) {
      task.stop();
    }
    try {
      synchronized (monitor) {
        giveUp();
      }
    } finally {
      OWNED_HERE.remove(path);
    }
  }

  private void giveUp() throws IOException {
    try (RandomAccessFile open = file) {
      if (open.getChannel().isOpen() && lost == null && isRecord(open, self)) {
        write(open, OwnerRecord.free());
      }
    }
  }
}
