package io.braid.core.runtime;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * Permissions of files that hold data or secrets: only the user of the process may use them. File
 * systems without POSIX permissions have none of this.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class OwnerOnly {
  private static final FileAttribute<?>[] NONE = {};

  private OwnerOnly() {}

  /** Attributes for new directories: {@code rwx------}. */
  static FileAttribute<?>[] directory(Path of) {
    return posix(of) ? attributes("rwx------") : NONE;
  }

  private static boolean posix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static FileAttribute<?>[] attributes(String permissions) {
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
    };
  }

  /** Creates an empty file as {@code rw-------}, unless there is one. */
  public static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, posix(file) ? attributes("rw-------") : NONE);
    } catch (FileAlreadyExistsException e) {
      // It keeps its permissions.
    }
  }

  /**
   * Refuses a file that other users can change, such as a list of identities.
   *
   * @throws IllegalArgumentException with the command that mends it
   */
  public static void requireUnchangeable(Path file) throws IOException {
    refuse(
        file,
        "changed",
        "go-w",
        Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE));
  }

  /**
   * Refuses a file that users outside its group can read, or others can change, such as a key.
   *
   * @throws IllegalArgumentException with the command that mends it
   */
  public static void requireSecret(Path file) throws IOException {
    requireUnchangeable(file);
    refuse(file, "read", "o-r", Set.of(PosixFilePermission.OTHERS_READ));
  }

  private static void refuse(
      Path file, String verb, String mend, Set<PosixFilePermission> forbidden) throws IOException {
    if (posix(file) && Files.getPosixFilePermissions(file).stream().anyMatch(forbidden::contains)) {
      throw new IllegalArgumentException(
          "The file "
              + file
              + " can be "
              + verb
              + " by other users: run 'chmod "
              + mend
              + " "
              + file
              + "'.");
    }
  }
}
