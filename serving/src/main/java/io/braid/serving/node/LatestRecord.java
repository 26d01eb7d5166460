package io.braid.serving.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.serving.StoreNames;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.files.TwinFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * The file {@code latest} of a store: which version is live. (In the paper a symbolic link. A file
 * also says which versions were live before, which is where a version rollback goes, and which are
 * pinned. A file does not lead anywhere. A file changes in place, which takes less time than a
 * rename.)
 *
 * @param served the versions that were swapped in and not rolled back, in that order: the last is
 *     live
 * @param pinned versions that are never deleted
 * @param quota bytes that all versions together may have; 0: any
 * @param pushes ids of pushes that made a version live here, the last ones
 * @param missed the nodes that missed the last push
 * @param takenBack versions that were rolled back, or were to be before they came, and that no push
 *     has prepared since; the last ones
 * @param ended ids of pushes that a rollback ended, which must not change anything here any more;
 *     the last ones
 * @param rolledBack why versions are no longer live; the last ones. Unlike {@code takenBack}, which
 *     keeps late requests out, an entry stays valid when the version is prepared again
 * @param flips how often the live version has changed: unlike a version, this number never recurs
 */
record LatestRecord(
    List<Long> served,
    Set<Long> pinned,
    long quota,
    Map<String, Long> pushes,
    Optional<MissedPush> missed,
    List<Long> takenBack,
    List<String> ended,
    Map<Long, Rollback> rolledBack,
    long flips) {
  static final String NAME = "latest";
  private static final String ROLLED_BACK = "rolledBack";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PUSHES = 64;
  private static final int TAKEN_BACK = 64;
  private static final int ENDED = 64;
  private static final LatestRecord NONE =
      new LatestRecord(
          List.of(), Set.of(), 0, Map.of(), Optional.empty(), List.of(), List.of(), Map.of(), 0);

  LatestRecord {
    served = List.copyOf(served);
    pinned = new TreeSet<>(pinned);
    pushes = new LinkedHashMap<>(pushes);
    takenBack = List.copyOf(takenBack);
    ended = List.copyOf(ended);
    rolledBack = new LinkedHashMap<>(rolledBack);
  }

  /** The live version; 0 when there is none. */
  long live() {
    return served.isEmpty() ? 0 : served.get(served.size() - 1);
  }

  LiveVersion seen() {
    return new LiveVersion(live(), flips);
  }

  LatestRecord swapped(long version) {
    List<Long> more = new ArrayList<>(served);
    more.remove(version);
    more.add(version);
    Map<Long, Rollback> others = new LinkedHashMap<>(rolledBack);
    others.remove(version);
    return new LatestRecord(
        more, pinned, quota, pushes, Optional.empty(), takenBack, ended, others, flips + 1);
  }

  /** As it is after a rollback to a version that was live before. */
  LatestRecord rolledBack(long version) {
    return goneBack(version, later -> Rollback.to(version, later == live()));
  }

  /** As it is when the live version's push takes it back, to one that was live before. */
  LatestRecord undone(long version) {
    return goneBack(version, later -> Rollback.BY_PUSH);
  }

  private LatestRecord goneBack(long version, LongFunction<Rollback> why) {
    int kept = served.indexOf(version) + 1;
    LatestRecord next =
        new LatestRecord(
            served.subList(0, kept),
            pinned,
            quota,
            pushes,
            Optional.empty(),
            takenBack,
            ended,
            rolledBack,
            flips + 1);
    for (long later : served.subList(kept, served.size())) {
      next = next.marked(later, why.apply(later));
    }
    return next;
  }

  /** With a reason why a version is not to be live. */
  LatestRecord marked(long version, Rollback why) {
    Map<Long, Rollback> more = new LinkedHashMap<>(rolledBack);
    more.remove(version);
    more.put(version, why);
    if (more.size() > TAKEN_BACK) {
      more.remove(more.keySet().iterator().next());
    }
    return new LatestRecord(served, pinned, quota, pushes, missed, takenBack, ended, more, flips);
  }

  LatestRecord pinned(long version, boolean pin) {
    Set<Long> changed = new TreeSet<>(pinned);
    if (pin) {
      changed.add(version);
    } else {
      changed.remove(version);
    }
    return new LatestRecord(
        served, changed, quota, pushes, missed, takenBack, ended, rolledBack, flips);
  }

  /** Without those that are deleted. */
  LatestRecord without(Set<Long> deleted) {
    return new LatestRecord(
        served.stream().filter(v -> !deleted.contains(v)).toList(),
        pinned,
        quota,
        pushes,
        missed,
        takenBack,
        ended,
        rolledBack,
        flips);
  }

  /** With a limit for the bytes of all versions. */
  LatestRecord limited(long bytes) {
    return new LatestRecord(
        served, pinned, bytes, pushes, missed, takenBack, ended, rolledBack, flips);
  }

  /** As it is when nothing is live any more. */
  LatestRecord withdrawn() {
    return new LatestRecord(
            List.of(),
            pinned,
            quota,
            pushes,
            Optional.empty(),
            takenBack,
            ended,
            rolledBack,
            flips + 1)
        .marked(live(), Rollback.BY_PUSH);
  }

  /** With a push more that made a version live here. */
  LatestRecord pushed(String id, long version, Optional<MissedPush> missing) {
    Map<String, Long> more = new LinkedHashMap<>(pushes);
    more.remove(id);
    more.put(id, version);
    if (more.size() > PUSHES) {
      more.remove(more.keySet().iterator().next());
    }
    return new LatestRecord(
        served, pinned, quota, more, missing, takenBack, ended, rolledBack, flips);
  }

  /** As it is when a push is known to have gone through everywhere. */
  LatestRecord confirmed(String id) {
    boolean own = missed.isPresent() && pushes.getOrDefault(id, 0L) == missed.get().version();
    return own
        ? new LatestRecord(
            served,
            pinned,
            quota,
            pushes,
            missed.map(MissedPush::nowConfirmed),
            takenBack,
            ended,
            rolledBack,
            flips)
        : this;
  }

  /** Without the pushes of a version: it was taken back, and they may be tried again. */
  LatestRecord forgotten(long version) {
    Map<String, Long> fewer = new LinkedHashMap<>(pushes);
    fewer.values().removeIf(pushed -> pushed == version);
    return new LatestRecord(
        served, pinned, quota, fewer, missed, takenBack, ended, rolledBack, flips);
  }

  /** With a version that is not to go live here before another push has prepared it. */
  LatestRecord takenBack(long version) {
    if (version == 0) {
      return this;
    }
    List<Long> more = new ArrayList<>(takenBack);
    more.remove(version);
    more.add(version);
    List<Long> last = more.subList(Math.max(0, more.size() - TAKEN_BACK), more.size());
    return new LatestRecord(served, pinned, quota, pushes, missed, last, ended, rolledBack, flips);
  }

  /** With a version that may go live again. */
  LatestRecord notTakenBack(long version) {
    List<Long> fewer = new ArrayList<>(takenBack);
    fewer.remove(version);
    Map<Long, Rollback> others = new LinkedHashMap<>(rolledBack);
    others.entrySet().removeIf(mark -> mark.getKey() == version && mark.getValue().byPush());
    return new LatestRecord(served, pinned, quota, pushes, missed, fewer, ended, others, flips);
  }

  /** With a push that has ended for good. */
  LatestRecord ended(String push) {
    List<String> more = new ArrayList<>(ended);
    more.remove(push);
    more.add(push);
    List<String> last = more.subList(Math.max(0, more.size() - ENDED), more.size());
    return new LatestRecord(
        served, pinned, quota, pushes, missed, takenBack, last, rolledBack, flips);
  }

  static LatestRecord read(Path store) throws IOException {
    Path file = store.resolve(NAME);
    Optional<String> content;
    try {
      content = new TwinFile(file).read();
    } catch (NoSuchFileException e) {
      return NONE;
    }
    String line =
        content.orElseThrow(
            () ->
                new BadManifestException(
                    "File "
                        + file
                        + " is damaged, so the live version is unknown. Delete it, and"
                        + " swap in a version of your choice."));
    JsonNode root = JSON.readTree(line);
    List<Long> served = new ArrayList<>();
    root.path("served").forEach(v -> served.add(StoreNames.version(v.asLong())));
    Set<Long> pinned = new TreeSet<>();
    root.path("pinned").forEach(v -> pinned.add(StoreNames.version(v.asLong())));
    Map<String, Long> pushes = new LinkedHashMap<>();
    root.path("pushes")
        .forEach(push -> pushes.put(push.path("id").asText(), push.path("version").asLong()));
    List<Long> takenBack = new ArrayList<>();
    root.path("takenBack").forEach(v -> takenBack.add(StoreNames.version(v.asLong())));
    List<String> ended = new ArrayList<>();
    root.path("ended").forEach(push -> ended.add(push.asText()));
    Map<Long, Rollback> rolledBack = Rollback.decode(root.path(ROLLED_BACK));
    if (!root.has(ROLLED_BACK)) {
      takenBack.forEach(version -> rolledBack.put(version, Rollback.EARLIER));
    }
    JsonNode missed = root.path("missed");
    return new LatestRecord(
        served,
        pinned,
        root.path("quota").asLong(),
        pushes,
        missed.isObject() ? Optional.of(MissedPush.decode(missed)) : Optional.empty(),
        takenBack,
        ended,
        rolledBack,
        root.path("flips").asLong());
  }

  /** Makes this the state, also after a crash. */
  void write(Path store) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("live", live());
    root.put("flips", flips);
    served.forEach(root.putArray("served")::add);
    pinned.forEach(root.putArray("pinned")::add);
    if (quota > 0) {
      root.put("quota", quota);
    }
    ArrayNode ids = root.putArray("pushes");
    pushes.forEach((id, version) -> ids.addObject().put("id", id).put("version", version));
    if (!takenBack.isEmpty()) {
      takenBack.forEach(root.putArray("takenBack")::add);
    }
    if (!ended.isEmpty()) {
      ended.forEach(root.putArray("ended")::add);
    }
    Rollback.encode(rolledBack, root.putObject(ROLLED_BACK));
    missed.ifPresent(m -> root.set("missed", m.encode(JSON.createObjectNode())));
    new TwinFile(store.resolve(NAME)).write(JSON.writeValueAsString(root));
  }
}
