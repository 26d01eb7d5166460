package io.braid.serving.build;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.DurableFiles;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.ChunkWriter;
import io.braid.serving.ring.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The output of one attempt of a task of an {@link EngineBuild}. The attempt writes its chunks to a
 * local disk first. Then it copies them to a folder that the engine's tasks reach, as {@code
 * node-N/...} for every replica. The manifest beside them is written last.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class EnginePart implements AutoCloseable {
  private final EngineBuild build;
  private final int task;
  private final Path scratch;
  private final PartBuilder part;

  EnginePart(EngineBuild build, int task, Path scratch) throws IOException {
    this.build = build;
    this.task = task;
    this.scratch = Files.createDirectories(scratch);
    this.part =
        new PartBuilder(
            build.plan(), build.first(task), build.first(task + 1), scratch.resolve("sort"));
  }

  /** Adds a tuple of this task. */
  public void add(Bytes key, Bytes value) throws IOException {
    part.add(key, value);
  }

  /**
   * Writes the chunks to a folder, which is the attempt's own.
   *
   * @throws ServingException {@code DUPLICATE_KEY} when a key came twice
   */
  public void finish(SharedFolder folder) throws IOException {
    Path local = Files.createDirectories(scratch.resolve("chunks"));
    List<Manifest.Chunk> chunks = new ArrayList<>();
    for (ChunkWriter.WrittenChunk written :
        part.finish(build.place(), partition -> local, keys -> {})) {
      copy(written.name(), local, folder);
      chunks.add(
          new Manifest.Chunk(written.name(), written.records(), written.data(), written.index()));
    }
    long keys = chunks.stream().mapToLong(Manifest.Chunk::records).sum();
    Manifest manifest = Manifests.of(build.plan(), build.place(), task, keys, chunks);
    folder.write(ManifestFile.NAME, ManifestFile.encode(manifest));
  }

  private void copy(ChunkName first, Path local, SharedFolder folder) throws IOException {
    List<Node> nodes = build.plan().routing().nodes(first.partition());
    for (int replica = 0; replica < nodes.size(); replica++) {
      ChunkName name = new ChunkName(first.partition(), replica, first.chunk());
      SharedFolder target = folder.node(nodes.get(replica).id());
      target.copy(local.resolve(first.data()), name.data());
      target.copy(local.resolve(first.index()), name.index());
    }
    Files.delete(local.resolve(first.data()));
    Files.delete(local.resolve(first.index()));
  }

  /** Removes what is on the local disk. */
  @Override
  public void close() throws IOException {
    part.close();
    DurableFiles.deleteTree(scratch);
  }
}
