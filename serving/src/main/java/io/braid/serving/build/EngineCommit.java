package io.braid.serving.build;

import io.braid.serving.ServingException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * The end of an {@link EngineBuild}: what the tasks have written becomes the version. It may be
 * done again, should the first time have been broken off. A node's folder is whole when its
 * manifest is there, as always.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class EngineCommit {
  private final EngineBuild build;
  private final SharedFolder out;

  /**
   * @param out where the nodes' folders go
   */
  public EngineCommit(EngineBuild build, SharedFolder out) {
    this.build = build;
    this.out = out;
  }

  /**
   * Publishes.
   *
   * @param parts the folder of one attempt of each task
   * @return the manifest of each node
   * @throws IllegalArgumentException when a task is missing, or is of another build
   * @throws ServingException {@code TOO_FEW_KEYS} when there are fewer keys than the plan's minimum
   */
  public Map<Integer, Manifest> run(List<SharedFolder> parts) throws IOException {
    List<Manifest.Chunk> chunks = new ArrayList<>();
    SortedSet<Integer> missing = new TreeSet<>();
    for (int task = 0; task < build.tasks(); task++) {
      missing.add(task);
    }
    for (SharedFolder part : parts) {
      Manifest made =
          ManifestFile.decode(part.read(ManifestFile.NAME, ManifestFile.LIMIT), part.toString());
      Manifest expected =
          Manifests.of(build.plan(), build.place(), made.node(), made.keys(), made.chunks());
      if (!made.isOfSameBuild(expected) || !missing.remove(made.node())) {
        throw new IllegalArgumentException(
            part + " is of another build, or of a task that another folder is of.");
      }
      chunks.addAll(made.chunks());
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "The version is not whole: there is nothing of tasks " + missing + ".");
    }
    Map<Integer, Manifest> manifests = Manifests.of(build.plan(), build.place(), chunks);
    for (Map.Entry<Integer, Manifest> each : manifests.entrySet()) {
      SharedFolder target = out.node(each.getKey());
      target.create();
      for (SharedFolder part : parts) {
        SharedFolder from = part.node(each.getKey());
        for (String name : from.names()) {
          target.take(from, name);
        }
      }
    }
    for (Map.Entry<Integer, Manifest> each : manifests.entrySet()) {
      out.node(each.getKey()).write(ManifestFile.NAME, ManifestFile.encode(each.getValue()));
    }
    return manifests;
  }
}
