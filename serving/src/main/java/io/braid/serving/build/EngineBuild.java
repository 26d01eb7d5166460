package io.braid.serving.build;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.serving.chunk.Placement;
import java.io.IOException;
import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A version that the tasks of an engine build, MapReduce or Spark (section 4.2.1): each all chunks
 * of some neighbouring partitions, whose tuples the engine brings to it. The result is, byte for
 * byte, what {@link StoreBuilder} makes of the same tuples with as many chunks.
 *
 * <p>A key that comes twice fails its task: the engine's own reduction is the place to settle that,
 * where tuples come in no order.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class EngineBuild {
  private final BuildPlan plan;
  private final Placement place;
  private final int tasks;

  private EngineBuild(BuildPlan plan, int tasks) {
    this.plan = plan;
    this.tasks = tasks;
    this.place = new Placement(plan.routing().ring().partitions(), plan.chunks());
  }

  /**
   * A build by so many tasks, or by one for each partition if there are fewer.
   *
   * @param plan of which the chunks of a partition are fixed, 1 if it says nothing: no task knows
   *     what the others get; the memory is that of each task
   * @param tasks at least 1
   * @throws IllegalArgumentException when the plan does not fail on keys that come twice
   */
  public static EngineBuild of(BuildPlan plan, int tasks) {
    if (tasks < 1) {
      throw new IllegalArgumentException("A store is built by 1 task or more, not " + tasks + ".");
    }
    if (plan.duplicates() != Duplicates.FAIL) {
      throw new IllegalArgumentException(
          "Tuples come to a task in no order: let the job reduce those of one key to one.");
    }
    BuildPlan fixed = plan.chunks() == 0 ? plan.chunks(1) : plan;
    return new EngineBuild(fixed, Math.min(tasks, plan.routing().ring().partitions()));
  }

  /** Reads the output of {@link #text}. */
  public static EngineBuild decode(String text) {
    JsonNode root = BuildPlanText.read(text);
    return of(BuildPlanText.decode(root), root.path("tasks").asInt());
  }

  /** For the tasks, in other processes. */
  public String text() {
    ObjectNode root = BuildPlanText.encode(plan);
    return root.put("tasks", tasks).toString();
  }

  /** The same of tuples that were read at this snapshot. */
  public EngineBuild snapshot(long timestamp) {
    return new EngineBuild(plan.snapshot(timestamp), tasks);
  }

  public BuildPlan plan() {
    return plan;
  }

  public int tasks() {
    return tasks;
  }

  Placement place() {
    return place;
  }

  /** Which task a key belongs to, from 0. */
  public int task(byte[] key) {
    long partition = place.partition(plan.kind().hash().of(key));
    return (int) (partition * tasks / place.partitions());
  }

  /** The first partition of a task. */
  int first(int task) {
    return (int) (((long) task * place.partitions() + tasks - 1) / tasks);
  }

  /**
   * Begins an attempt of a task.
   *
   * @param scratch a directory of its own, on a local disk
   */
  public EnginePart begin(int task, Path scratch) throws IOException {
    if (task < 0 || task >= tasks) {
      throw new IllegalArgumentException("There is no task " + task + " of " + tasks + ".");
    }
    return new EnginePart(this, task, scratch);
  }
}
