package io.braid.simulation;

import io.braid.core.runtime.DurableFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A folder for the files of one run, which goes with the run. It is in memory where the system has
 * a place for such, with a gigabyte of room: nothing simulated is about the disk.
 */
final class RunFiles implements AutoCloseable {
  /** The folders of runs that are under way. A signal that ends the process removes them all. */
  private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> OPEN.forEach(RunFiles::delete), "simulated-files"));
  }

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Path DISK = Path.of(System.getProperty("java.io.tmpdir"));
  private static final long LEAST_ROOM = 1L << 30;

  private @Nullable Path folder;

  /** The folder; made when it is first asked for. */
  Path folder() {
    Path made = folder;
    if (made == null) {
      try {
        made = Files.createTempDirectory(hasRoom(MEMORY) ? MEMORY : DISK, "braid-simulated");
      } catch (IOException e) {
        throw new UncheckedIOException("No folder can be made for the files of a run.", e);
      }
      OPEN.add(made);
      folder = made;
    }
    return made;
  }

  /** Containers often have a few megabytes there, and a mapped file that finds no room kills. */
  private static boolean hasRoom(Path place) throws IOException {
    return Files.isWritable(place) && Files.getFileStore(place).getUsableSpace() >= LEAST_ROOM;
  }

  @Override
  public void close() {
    Path made = folder;
    folder = null;
    if (made != null) {
      OPEN.remove(made);
      delete(made);
    }
  }

  private static void delete(Path folder) {
    try {
      DurableFiles.deleteTree(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("The files of a run stay in " + folder + ".", e);
    }
  }
}
