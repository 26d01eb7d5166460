package io.braid.serving.fetch;

import io.braid.serving.build.Manifest;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.node.VersionRefusedException;
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
   * @throws VersionRefusedException when there is none, or it is not of that store
   */
  static Manifest read(Source source, String store) throws IOException {
    byte[] content;
    try (InputStream in = source.open(ManifestFile.NAME, 0)) {
      content = in.readNBytes(ManifestFile.LIMIT + 1);
    } catch (NoSuchFileException e) {
      throw new VersionRefusedException(
          source
              + " has no "
              + ManifestFile.NAME
              + ": no version was built there, or not to its end.");
    }
    if (content.length > ManifestFile.LIMIT) {
      throw new VersionRefusedException(
          "The manifest of " + source + " is longer than " + ManifestFile.LIMIT + " bytes.");
    }
    Manifest manifest = ManifestFile.decode(content, source + "/" + ManifestFile.NAME);
    if (!manifest.store().equals(store)) {
      throw new VersionRefusedException(
          source + " was built for store " + manifest.store() + ", not for " + store + ".");
    }
    return manifest;
  }
}
