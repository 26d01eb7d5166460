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
import org.jspecify.annotations.Nullable;

/**
 * A file that one process at a time owns, for as long as it lives.
 *
 * <p>Three things say who owns it, each where the one before says nothing:
 *
 * <ul>
 *   <li>Within a process, memory.
 *   <li>A lock of the operating system. POSIX gives up all locks of a process on a file when it
 *       closes <em>any</em> descriptor of it, as a copy of the folder does. So a free lock proves
 *       nothing, and the lock is taken anew with every beat.
 *   <li>The {@linkplain OwnerRecord record} in the file. Where the owner's process can be seen, it
 *       says whether it lives, also while it is stopped. From another container or machine, the
 *       heartbeat says so: the file's time of modification moves every {@link #BEAT}.
 * </ul>
 *
 * <p>Who finds a record that does not move for {@link #WATCH} puts its own in place, waits for
 * {@link #LEASE}, and owns the file if its record still stands. An owner relies on what it has
 * looked at for so long only: {@link #isOurs} looks again, and is false for good once another
 * record stands there. So an owner that was held up finds out before it writes again.
 */
public final class OwnedFile implements AutoCloseable {
  static final Duration BEAT = Duration.ofMillis(500);
  static final Duration LEASE = Duration.ofSeconds(2);
  static final Duration WATCH = Duration.ofSeconds(3);

  private static final Set<Path> OWNED_HERE = ConcurrentHashMap.newKeySet();

  /**
   * Held by who looks at a file, as nobody may begin to own it meanwhile: closing the file that was
   * looked at gives up the lock. Fair, so that those who look all the time keep nobody from owning.
   */
  private static final ReentrantLock LOOKING = new ReentrantLock(true);

  /** Locked is a byte far behind the text, so that others can read who it is. */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private static final Duration LOOK = Duration.ofMillis(100);

  private final Path path;

  /** Not a channel: that closes, and gives up the lock, when a thread is interrupted in it. */
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
   * Owns a file in a directory that is there; makes it if need be. Waits for seconds where the last
   * owner was of another container or machine, and did not give it up.
   *
   * @return null when it is owned, by another process or by this one
   */
  public static @Nullable OwnedFile tryOwn(Path file) throws IOException {
    return Uninterrupted.again(
            () -> Optional.ofNullable(tryOwn(file, OwnerRecord::ofThisProcess, new SystemSeams())))
        .orElse(null);
  }

  /** Says who this process is, to whom owns a file of this key. */
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
          owned.beats = seams.start("braid-owner", Enduring.loop(owned::beat));
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
        // The system may hide processes of others: only the heartbeat tells.
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
   * Whether somebody owns a file now, as far as can be told without waiting: not by a heartbeat.
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

  /** Who owns a file, for people; to be asked after {@link #tryOwn} was in vain. */
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
   * Whether this process may still write what the file stands for. False for good once another
   * process has taken it; false also while nobody can tell.
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

  /** Why it is not {@link #isOurs ours}; to be told to people. */
  public String whyNot() {
    String why = lost;
    return why == null ? "Whether this process still owns " + path + " cannot be told." : why;
  }

  /** What to do once another process has taken the file; called on a thread of this object. */
  public void whenLost(Runnable action) {
    whenLost = action;
  }

  /** Beats, and looks whether the record still stands. */
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

  /** Empty when the record stands, null when nobody can tell, else what happened to it. */
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
