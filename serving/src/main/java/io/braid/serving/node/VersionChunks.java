package io.braid.serving.node;

import io.braid.core.runtime.DurableFiles;
import io.braid.serving.build.Manifest;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.chunk.ChunkName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;

/**
 * The chunks of a version on disk, while partitions move: its manifest says which ones count.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class VersionChunks {
  private final StoreVersions versions;
  private final long version;
  private final Path directory;

  VersionChunks(StoreVersions versions, long version) {
    this.versions = versions;
    this.version = version;
    this.directory = versions.directory(version);
  }

  /** Whether the version was ever here as a whole: if not, a copy of it broke off. */
  public boolean haveManifest() {
    return Files.exists(directory.resolve(ManifestFile.NAME), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Leaves what the manifest shall list. It changes by one rename; {@link #sweep} then takes the
   * other files away.
   *
   * @param held partitions, each with the replica of it that is kept
   * @return whether anything changed
   */
  public boolean trim(Map<Integer, Integer> held) throws IOException {
    Manifest manifest = versions.whole(version);
    List<Manifest.Chunk> kept =
        manifest.chunks().stream()
            .filter(
                chunk ->
                    Integer.valueOf(chunk.name().replica())
                        .equals(held.get(chunk.name().partition())))
            .toList();
    boolean changed = kept.size() < manifest.chunks().size();
    Manifest left = manifest.with(manifest.node(), kept);
    if (changed) {
      ManifestFile.write(directory, left);
    }
    return changed;
  }

  /** Has files of chunks deleted that the manifest does not list, as slowly as old versions are. */
  public void sweep() throws IOException {
    Set<String> listed = ManifestFile.read(directory).files().keySet();
    List<Path> unlisted = new ArrayList<>();
    for (Path file : DurableFiles.list(directory)) {
      String name = String.valueOf(file.getFileName());
      if (ChunkName.ofFile(name).isPresent() && !listed.contains(name)) {
        unlisted.add(file);
      }
    }
    versions.trash().take("chunks-" + version, unlisted);
  }
}
