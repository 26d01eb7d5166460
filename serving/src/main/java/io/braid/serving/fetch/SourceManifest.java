package io.braid.serving.fetch;

import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.build.Manifest;
import io.braid.serving.build.ManifestFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;

/**
 * The manifest of a folder to fetch. It defines the right content, whatever the source of the
 * files.
 */
final class SourceManifest {
  private SourceManifest() {}

  /**
   * Reads it.
   *
   * @throws ServingException {@code VERSION_REFUSED} when there is none, or it is not of that store
   */
  static Manifest read(Source source, String store) throws IOException {
    byte[] content;
    try (InputStream in = source.open(ManifestFile.NAME, 0)) {
      content = in.readNBytes(ManifestFile.LIMIT + 1);
    } catch (NoSuchFileException e) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          source
              + " has no "
              + ManifestFile.NAME
              + ": no version was built there, or not to its end.");
    }
    if (content.length > ManifestFile.LIMIT) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "The manifest of " + source + " is longer than " + ManifestFile.LIMIT + " bytes.");
    }
    Manifest manifest = ManifestFile.decode(content, source + "/" + ManifestFile.NAME);
    if (!manifest.store().equals(store)) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          source + " was built for store " + manifest.store() + ", not for " + store + ".");
    }
    return manifest;
  }
}
