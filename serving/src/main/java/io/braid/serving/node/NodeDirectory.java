package io.braid.serving.node;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.OwnedFile;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.StoreNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a node, with a directory for each store. Only the owner changes anything, and
 * one process at a time is the owner. Looking needs no ownership.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class NodeDirectory implements AutoCloseable {
  private static final int LOCKS = 1024;
  private static final String OWNER = ".owner";

  private final Path path;
  private final Seams seams;

  /**
   * The locks for changes of a store's state. Their number is fixed, whatever names callers ask
   * for.
   */
  private final Object[] locks = Stream.generate(Object::new).limit(LOCKS).toArray();

  private final @Nullable OwnedFile owner;
  private final DirectoryReaders readers;

  private NodeDirectory(
      Path path, Seams seams, @Nullable OwnedFile owner, DirectoryReaders readers) {
    this.path = path;
    this.seams = seams;
    this.owner = owner;
    this.readers = readers;
  }

  /**
   * To look: nothing is created.
   *
   * @throws IllegalArgumentException when there is no directory
   */
  public static NodeDirectory look(Path path, Seams seams) throws IOException {
    if (!Files.isDirectory(path)) {
      throw new IllegalArgumentException(
          "There is no directory " + path + ". Name the directory of a node with --node.");
    }
    return new NodeDirectory(path, seams, null, DirectoryReaders.look(path));
  }

  /**
   * To change: the directory is created when there is none.
   *
   * @throws ServingException {@code LOCKED} when another process owns it
   */
  public static NodeDirectory own(Path path, Seams seams) throws IOException {
    DurableFiles.createPrivateDirectories(path);
    Path file = path.resolve(OWNER);
    OwnedFile owner = OwnedFile.tryOwn(file);
    if (owner == null) {
      String holder = OwnedFile.owner(file);
      throw new ServingException(
          ErrorCode.LOCKED,
          "Directory "
              + path
              + " is owned by "
              + (holder.isBlank() ? "another process" : holder)
              + ". Stop that process, or ask it over the network.");
    }
    try {
      return new NodeDirectory(path, seams, owner, DirectoryReaders.own(path));
    } catch (IOException | RuntimeException e) {
      owner.close();
      throw e;
    }
  }

  public Path path() {
    return path;
  }

  /** The names of the stores that are there, sorted. */
  public List<String> stores() throws IOException {
    return DurableFiles.list(path).stream()
        .filter(file -> Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
        .map(file -> String.valueOf(file.getFileName()))
        .filter(name -> !name.startsWith("."))
        .toList();
  }

  /** The cluster this node belongs to, if it belongs to one. */
  public Optional<Membership> membership() throws IOException {
    return Membership.read(path);
  }

  /** Makes this node a member, or gives it the changed state of the cluster. */
  public void join(Membership membership) throws IOException {
    requireOwned();
    membership.write(path);
  }

  /** Makes this node one of no cluster. */
  public void leave() throws IOException {
    requireOwned();
    Membership.delete(path);
  }

  /** Returns the versions of a store. Changes of them wait for each other, through any object. */
  public StoreVersions store(String name) {
    requireOwned();
    Path store = path.resolve(StoreNames.store(name));
    Object lock = locks[Math.floorMod(name.hashCode(), LOCKS)];
    return new StoreVersions(store, name, seams, lock, readers);
  }

  /**
   * Takes a store away with all its versions: by one rename, deleted later by {@link Trash}. Does
   * nothing when there is no such store.
   */
  public void drop(String name) throws IOException {
    requireOwned();
    Path store = path.resolve(StoreNames.store(name));
    if (Files.isDirectory(store, LinkOption.NOFOLLOW_LINKS)) {
      trash().take(store);
    }
  }

  /** Where stores wait that were taken away. */
  public Trash trash() {
    return new Trash(path.resolve(".trash"), seams, readers);
  }

  /** Refuses a change by an owner that was held up and has been replaced. */
  private void requireOwned() {
    if (owner != null && !owner.isOurs()) {
      throw new ServingException(ErrorCode.LOCKED, owner.whyNot());
    }
  }

  @Override
  public void close() throws IOException {
    readers.close();
    if (owner != null) {
      owner.close();
    }
  }
}
