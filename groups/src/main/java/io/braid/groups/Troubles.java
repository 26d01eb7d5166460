package io.braid.groups;

import io.braid.core.runtime.Seams;
import io.braid.core.store.TabletUnavailableException;
import io.braid.groups.rows.GroupRecord;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups that this process should lead and cannot, such as those with rows in a table that is
 * gone. They are tried again, more and more seldom, and hold up nobody else.
 */
final class Troubles {
  private static final Logger LOG = LoggerFactory.getLogger(Troubles.class);
  private static final Duration FIRST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final Seams seams;
  private final Map<Long, Trouble> known = new ConcurrentHashMap<>();

  private record Trouble(String why, Duration pause, long since) {}

  Troubles(Seams seams) {
    this.seams = seams;
  }

  /** Whether it is time to try this one again. */
  boolean isDue(GroupRecord record) {
    Trouble trouble = known.get(record.number());
    return trouble == null || seams.nanoTime() - trouble.since >= trouble.pause.toNanos();
  }

  /** A store that is away is no trouble of the group, which is tried again soon. */
  void failed(GroupRecord record, RuntimeException e) {
    if (e instanceof TabletUnavailableException) {
      LOG.debug("Group {} is taken up later.", record.name(), e);
      return;
    }
    Trouble before = known.get(record.number());
    String why = e.getMessage() == null ? e.toString() : e.getMessage();
    if (before == null || !before.why.equals(why)) {
      LOG.warn("Group {} cannot be taken up, and is tried again: {}", record.name(), why);
    }
    Duration pause = before == null ? FIRST : before.pause.multipliedBy(2);
    known.put(
        record.number(),
        new Trouble(why, pause.compareTo(LONGEST) > 0 ? LONGEST : pause, seams.nanoTime()));
  }

  /** Of others nothing is known any more. */
  void retain(Collection<GroupRecord> records) {
    if (!known.isEmpty()) {
      known.keySet().retainAll(records.stream().map(GroupRecord::number).toList());
    }
  }

  void ended(GroupRecord record) {
    known.remove(record.number());
  }

  /** Why a group cannot be taken up; empty when that is not known of it. */
  Optional<String> of(long number) {
    return Optional.ofNullable(known.get(number)).map(Trouble::why);
  }
}
