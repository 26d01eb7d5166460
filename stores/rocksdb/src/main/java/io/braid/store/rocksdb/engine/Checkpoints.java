package io.braid.store.rocksdb.engine;

import io.braid.core.runtime.DurableFiles;
import io.braid.core.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.rocksdb.Checkpoint;
import org.rocksdb.RocksDBException;

/**
 * Folders of links to the files of a store, beside its directory, so that links can be made. Their
 * names tell whose they are.
 */
public final class Checkpoints {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final String WORD = ".checkpoint-";

  private Checkpoints() {}

  public static Path make(Engine engine, Path directory) {
    String own = directory.getFileName() + WORD + ProcessHandle.current().pid() + "-";
    Path folder = directory.resolveSibling(own + NUMBER.incrementAndGet());
    try {
      removeOthers(directory, own);
      Files.createDirectory(folder);
      fill(engine, folder);
      return folder;
    } catch (RocksDBException e) {
      throw Engine.failure("The store cannot be copied.", e);
    } catch (IOException e) {
      throw new StoreException("The store cannot be copied: " + e, e);
    }
  }

  /**
   * Fills the folder with a checkpoint. Removes the folder if the checkpoint fails, because no
   * other process looks for it while this one lives.
   */
  private static void fill(Engine engine, Path folder) throws IOException, RocksDBException {
    boolean made = false;
    try (Checkpoint checkpoint = Checkpoint.create(engine.db)) {
      FormatFile.ensure(folder.resolve("FORMAT"));
      checkpoint.createCheckpoint(folder.resolve("rocksdb").toString());
      made = true;
    } finally {
      if (!made) {
        DurableFiles.deleteTree(folder);
      }
    }
  }

  /** Removes what other processes left: this one owns the store, so none of them lives. */
  private static void removeOthers(Path directory, String own) throws IOException {
    try (DirectoryStream<Path> left =
        Files.newDirectoryStream(
            directory.resolveSibling("."), directory.getFileName() + WORD + "*")) {
      for (Path each : left) {
        if (!each.getFileName().toString().startsWith(own)) {
          DurableFiles.deleteTree(each);
        }
      }
    }
  }
}
