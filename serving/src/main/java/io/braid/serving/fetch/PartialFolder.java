package io.braid.serving.fetch;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.serving.ServingException;
import io.braid.serving.build.Manifest;
import io.braid.serving.chunk.FileDigest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** The directory in which a version comes in, before it has its name. */
final class PartialFolder {
  private PartialFolder() {}

  /** Keeps what an earlier fetch of the same version left; anything else goes. */
  static void prepare(Path partial, Manifest manifest) throws IOException {
    if (Files.isSymbolicLink(partial)) {
      Files.delete(partial);
    }
    Files.createDirectories(partial);
    Path store = partial.toAbsolutePath().getParent();
    Path node = store == null ? null : store.getParent();
    if (store != null && node != null) {
      DurableFiles.syncDirectory(node);
      DurableFiles.syncDirectory(store);
    }
    for (Path file : DurableFiles.list(partial)) {
      FileDigest wanted = manifest.files().get(String.valueOf(file.getFileName()));
      if (wanted == null || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        DurableFiles.deleteTree(file);
      }
    }
  }

  /** Refuses a version for which the disk has no room. */
  static void refuseWithoutRoom(Path partial, Manifest manifest) throws IOException {
    long have = 0;
    for (Path file : DurableFiles.list(partial)) {
      have += Files.size(file);
    }
    long free = Files.getFileStore(partial).getUsableSpace();
    if (manifest.bytes() - have > free) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "This version of "
              + manifest.store()
              + " has "
              + manifest.bytes()
              + " bytes, and "
              + free
              + " are free. Make room, or keep fewer backups.");
    }
  }
}
