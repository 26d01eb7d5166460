package io.braid.serving.fetch;

import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.build.Patch;
import io.braid.serving.chunk.Delta;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.StoreVersions;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes data files from those of a version that is already here and from deltas, where the source
 * has deltas (section 6). If anything fails, the file is fetched whole instead. A file counts only
 * with the checksum in its manifest, which is the checksum of a full build.
 */
final class DeltaPatcher {
  private static final int LIMIT = 64 << 20;

  private final Source source;
  private final Patch patch;
  private final Path base;
  private final long version;

  private DeltaPatcher(Source source, Patch patch, Path base, long version) {
    this.source = source;
    this.patch = patch;
    this.base = base;
    this.version = version;
  }

  /** None when the source has no patch, or not to a version that is here. */
  static Optional<DeltaPatcher> of(Source source, StoreVersions versions) throws IOException {
    Patch patch = versions.numbers().isEmpty() ? null : patch(source);
    if (patch == null || patch.deltas().isEmpty()) {
      return Optional.empty();
    }
    for (long version : versions.numbers()) {
      try {
        if (versions.whole(version).checksum().equals(patch.base())) {
          return Optional.of(new DeltaPatcher(source, patch, versions.directory(version), version));
        }
      } catch (ServingException | BadManifestException e) {
        // A version that is not whole is no base.
        continue;
      }
    }
    return Optional.empty();
  }

  private static @Nullable Patch patch(Source source) {
    try (InputStream in = source.open(Patch.NAME, 0)) {
      return Patch.decode(in.readNBytes(LIMIT)).orElse(null);
    } catch (IOException e) {
      return null;
    }
  }

  /** The version that it goes out from. */
  long version() {
    return version;
  }

  /**
   * Makes a data file; one that is there already, in part or whole, is left alone.
   *
   * @return bytes that came over for it; negative when it must be fetched whole
   */
  long make(String name, FileDigest wanted, Path directory, Throttle throttle) {
    FileDigest delta = patch.deltas().get(name);
    Path target = directory.resolve(name);
    if (delta == null || Files.exists(target)) {
      return -1;
    }
    Path file = directory.resolve(Patch.delta(name));
    try {
      new FileFetch(source, Patch.delta(name), delta, file).run(throttle, n -> {}, () -> false);
      try (DataInputStream in =
              new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
          SyncedFile out = new SyncedFile(target, throttle)) {
        Delta.apply(base.resolve(name), in, out, wanted.bytes());
        out.sync();
      }
      if (FileDigest.of(target, throttle).equals(wanted)) {
        Files.delete(file);
        return delta.bytes();
      }
    } catch (IOException | ServingException e) {
      // It is fetched whole.
    }
    clear(target);
    clear(file);
    return -1;
  }

  private static void clear(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new ServingException(ErrorCode.FETCH_FAILED, "File " + file + " cannot be deleted.", e);
    }
  }
}
