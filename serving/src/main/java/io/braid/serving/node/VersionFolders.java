package io.braid.serving.node;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.serving.ServingException;
import io.braid.serving.StoreNames;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.build.Manifest;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.chunk.Search;
import io.braid.serving.files.Throttle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folders of a store's versions, {@code version-N}. Only plain folders count, with plain files
 * of the lengths in the manifest.
 */
final class VersionFolders {
  private static final Pattern DIRECTORY = Pattern.compile("version-([1-9]\\d{0,17})");

  private final Path path;
  private final String store;

  VersionFolders(Path path, String store) {
    this.path = path;
    this.store = store;
  }

  Path of(long version) {
    return path.resolve("version-" + StoreNames.version(version));
  }

  /** The numbers of the versions that are there. */
  List<Long> numbers() throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (Path file : DurableFiles.list(path)) {
      Matcher matcher = DIRECTORY.matcher(String.valueOf(file.getFileName()));
      if (matcher.matches() && Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        numbers.add(Long.valueOf(matcher.group(1)));
      }
    }
    numbers.sort(null);
    return numbers;
  }

  /**
   * The manifest of a version, if all its files are there with the right lengths.
   *
   * @throws ServingException {@code VERSION_REFUSED} when it is not whole
   */
  Manifest whole(long version) throws IOException {
    Path directory = of(version);
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Store " + store + " has no version " + version + " here. There are: " + numbers() + ".");
    }
    Manifest manifest = ManifestFile.read(directory);
    if (!manifest.store().equals(store)) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Version " + version + " of " + store + " was built for store " + manifest.store() + ".");
    }
    for (Map.Entry<String, FileDigest> file : manifest.files().entrySet()) {
      Path chunk = directory.resolve(file.getKey());
      if (!Files.isRegularFile(chunk, LinkOption.NOFOLLOW_LINKS)
          || Files.size(chunk) != file.getValue().bytes()) {
        throw new ServingException(
            ErrorCode.VERSION_REFUSED,
            "Version "
                + version
                + " of "
                + store
                + " is not whole: "
                + file.getKey()
                + " is missing, a link, or not as long as it was. Fetch it again.");
      }
    }
    return manifest;
  }

  /** Returns the state of a version by {@code latest}, and whether the version is whole. */
  VersionInfo info(LatestRecord state, long version) throws IOException {
    boolean pinned = state.pinned().contains(version);
    try {
      Manifest manifest = whole(version);
      Rollback why = state.rolledBack().get(version);
      VersionInfo.State what =
          version == state.live()
              ? VersionInfo.State.LIVE
              : state.served().contains(version)
                  ? VersionInfo.State.BACKUP
                  : why != null ? VersionInfo.State.ROLLED_BACK : VersionInfo.State.FETCHED;
      String problem = why != null && what == VersionInfo.State.ROLLED_BACK ? why.reason() : "";
      return new VersionInfo(version, what, pinned, manifest, problem);
    } catch (ServingException | BadManifestException e) {
      return new VersionInfo(
          version, VersionInfo.State.BROKEN, pinned, null, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Reads every file of a version and compares its SHA-256 with the manifest.
   *
   * @throws ServingException {@code VERSION_REFUSED} names the file that differs
   */
  Manifest verify(long version, Throttle throttle) throws IOException {
    Manifest manifest = whole(version);
    for (Map.Entry<String, FileDigest> file : manifest.files().entrySet()) {
      Path path = of(version).resolve(file.getKey());
      if (!FileDigest.of(path, throttle).equals(file.getValue())) {
        throw new ServingException(
            ErrorCode.VERSION_REFUSED,
            "Version "
                + version
                + " of "
                + store
                + " is damaged: "
                + file.getKey()
                + " does not have the checksum it was built with. Fetch it again.");
      }
    }
    return manifest;
  }

  /** Reads every tuple of a version and looks it up. */
  void verifyLookups(long version) throws IOException {
    OpenVersion open = OpenVersion.open(version, of(version), whole(version), Search.BINARY);
    try {
      open.verify();
    } finally {
      open.abandon();
    }
  }
}
