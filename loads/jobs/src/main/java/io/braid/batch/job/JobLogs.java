package io.braid.batch.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.braid.batch.JobException;
import io.braid.batch.log.JobFiles;
import io.braid.batch.log.LogLines;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The entries that a job has logged about its attempts and its failures, a page at a time. A log
 * may have an entry for every record of a large input, so no log is ever held as a whole.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class JobLogs {
  private static final String DETAILED = "detailed.jsonl";
  private static final String DETAILED_INPUT = "detailed-input.jsonl";

  /** The logs of a whole round, in the order of the names. */
  private static final List<String> WHOLE = List.of(DETAILED_INPUT, DETAILED);

  private static final int FILES = 64;
  private static final long PAGE_BYTES = 1 << 20;
  private static final Pattern ATTEMPT = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})");
  private static final Pattern PLACE =
      Pattern.compile(
          "round-(\\d{1,6})/((?:attempt-(\\d{1,6})/)?(?:task-\\d{5,9}\\.)?[a-z-]+\\.jsonl)"
              + "@(\\d{1,18})");

  private final JobDirectory directory;

  JobLogs(JobDirectory directory) {
    this.directory = directory;
  }

  /**
   * A part of a log.
   *
   * @param attempt of the round; 0: the entries of all attempts that count
   * @param next where the next page begins; empty: there is none now
   */
  public record Page<T>(int round, int attempt, List<T> entries, Optional<String> next) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /**
   * The requested part of a log.
   *
   * @param round empty: the round of the previous page, or the current round of the job
   * @param attempt empty or 0: the attempt of the previous page, or the newest, or the entries of
   *     all attempts that count
   * @param after the {@code next} of the previous page; empty: from the beginning
   * @param most entries
   */
  public record Part(
      Optional<Integer> round, Optional<Integer> attempt, Optional<String> after, int most) {}

  /**
   * Attempts, the newest first.
   *
   * @param after the name of one; those before it follow
   * @throws IllegalArgumentException when it is no name of an attempt
   */
  public List<AttemptReport> attempts(Optional<String> after, int most) throws IOException {
    int newest = directory.state().round();
    int round = newest;
    int number = Integer.MAX_VALUE;
    if (after.isPresent()) {
      Matcher name = ATTEMPT.matcher(after.get());
      if (!name.matches()) {
        throw new IllegalArgumentException(
            "'" + after.get() + "' is no attempt: they are named as 0.1.");
      }
      round = Math.min(newest, Integer.parseInt(name.group(1)));
      number = Integer.parseInt(name.group(2)) - 1;
    }
    int last = attemptsOf(newest);
    List<AttemptReport> found = new ArrayList<>();
    for (int r = round; r >= 0 && found.size() < most; r--) {
      int from = Math.min(attemptsOf(r), r == round ? number : Integer.MAX_VALUE);
      for (int n = from; n > 0 && found.size() < most; n--) {
        found.add(attempt(r, n, r == newest && n == last));
      }
    }
    return found;
  }

  private int attemptsOf(int round) {
    int attempts = 0;
    while (Files.isDirectory(attemptOf(round, attempts + 1))) {
      attempts++;
    }
    return attempts;
  }

  private Path attemptOf(int round, int number) {
    return directory.round(round).resolve("attempt-" + number);
  }

  private AttemptReport attempt(int round, int number, boolean newest) throws IOException {
    Path attempt = attemptOf(round, number);
    AttemptNote note =
        AttemptNote.read(attempt).orElse(new AttemptNote(0, 0, AttemptReport.End.NONE, ""));
    RecordCounts[] counts = {RecordCounts.EMPTY};
    int done =
        each(
            attempt.resolve(Round.CHECKPOINTS),
            Checkpoint.class,
            entry -> counts[0] = counts[0].plus(entry.counts()));
    int unread =
        each(
            attempt.resolve(Round.UNREAD),
            UnreadPart.class,
            entry -> counts[0] = counts[0].plus(entry.counts()));
    int ended = each(attempt.resolve(Round.SHORT_CIRCUITS), ShortCircuit.class, entry -> {});
    return new AttemptReport(
        round,
        number,
        note.begunMillis(),
        note.endedMillis(),
        note.end(),
        note.why(),
        newest,
        counts[0],
        done,
        ended,
        unread);
  }

  private interface Taker<T> {
    void take(T entry);
  }

  /** Returns how many entries there are. */
  private static <T> int each(Path file, Class<T> type, Taker<T> taker) throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    int count = 0;
    try (LogLines lines = new LogLines(file, 0)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        taker.take(parse(file, line, type));
        count++;
      }
    }
    return count;
  }

  private static <T> T parse(Path file, String line, Class<T> type) throws IOException {
    try {
      return JobFiles.JSON.readValue(line, type);
    } catch (JsonProcessingException e) {
      throw new JobException("Log " + file + " is damaged: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * Returns the records that were not written: those of an attempt, or, without an attempt, those
   * of the round so far.
   */
  public Page<FailureEntry> detailed(Part part) throws IOException {
    return page(DETAILED, FailureEntry.class, part);
  }

  /** Tasks that ended because too many of their records failed: of an attempt. */
  public Page<ShortCircuit> shortCircuits(Part part) throws IOException {
    return page(Round.SHORT_CIRCUITS, ShortCircuit.class, part);
  }

  /** Parts of the input that could not be read: of an attempt. */
  public Page<UnreadPart> unread(Part part) throws IOException {
    return page(Round.UNREAD, UnreadPart.class, part);
  }

  /** A log of an attempt, or with attempt 0 of a round. */
  private record Log<T>(int round, int attempt, String name, Class<T> type) {
    boolean has(Place place) {
      return place.round == round
          && place.attempt == attempt
          && (place.file.endsWith(name) || place.file.equals(DETAILED_INPUT));
    }
  }

  /**
   * The place where an entry begins. It names its round and attempt, which may no longer be the
   * newest.
   */
  private record Place(int round, int attempt, String file, long offset) {
    static Optional<Place> parse(String text) {
      Matcher place = PLACE.matcher(text);
      return place.matches()
          ? Optional.of(
              new Place(
                  Integer.parseInt(place.group(1)),
                  place.group(3) == null ? 0 : Integer.parseInt(place.group(3)),
                  place.group(2),
                  Long.parseLong(place.group(4))))
          : Optional.empty();
    }

    @Override
    public String toString() {
      return "round-" + round + "/" + file + "@" + offset;
    }
  }

  private <T> Log<T> log(String name, Class<T> type, Part part, Optional<Place> begin)
      throws IOException {
    int newest = directory.state().round();
    int round = part.round().or(() -> begin.map(Place::round)).orElse(newest);
    if (round < 0 || round > newest) {
      throw new IllegalArgumentException("There is no round " + round + " of the job.");
    }
    int attempts = attemptsOf(round);
    int attempt = part.attempt().orElse(0);
    if (attempt == 0 && begin.isPresent()) {
      attempt = begin.get().attempt;
    } else if (attempt == 0
        && !(name.equals(DETAILED) && !present(directory.round(round), WHOLE, "").isEmpty())) {
      attempt = attempts;
    }
    if (attempt < 0 || attempt > attempts) {
      throw new IllegalArgumentException(
          "There is no attempt " + attempt + " of round " + round + ".");
    }
    return new Log<>(round, attempt, name, type);
  }

  private <T> Page<T> page(String name, Class<T> type, Part part) throws IOException {
    Optional<Place> begin = part.after().flatMap(Place::parse);
    Log<T> log = log(name, type, part, begin);
    if (part.after().isPresent() && !begin.filter(log::has).isPresent()) {
      throw new IllegalArgumentException(
          "'" + part.after().get() + "' is no place in this log: take it from the page before.");
    }
    Path round = directory.round(log.round);
    List<T> entries = new ArrayList<>();
    long bytes = 0;
    List<String> files = files(log, begin.map(Place::file).orElse(""));
    if (begin.isPresent() && (files.isEmpty() || !files.get(0).equals(begin.get().file))) {
      throw new IllegalArgumentException(
          "The log has no such part any more: begin at its first page.");
    }
    while (!files.isEmpty()) {
      for (String file : files) {
        boolean first = begin.isPresent() && begin.get().file.equals(file);
        try (LogLines lines = new LogLines(round.resolve(file), first ? begin.get().offset : 0)) {
          long at = lines.position();
          for (String line = lines.next(); line != null; line = lines.next()) {
            if (entries.size() == part.most() || bytes > PAGE_BYTES) {
              Place next = new Place(log.round, log.attempt, file, at);
              return new Page<>(log.round, log.attempt, entries, Optional.of(next.toString()));
            }
            entries.add(parse(round.resolve(file), line, log.type));
            bytes += lines.position() - at;
            at = lines.position();
          }
        } catch (NoSuchFileException e) {
          // The task has started over: the logs of an earlier try are gone.
        }
      }
      files = files.size() < FILES ? List.of() : files(log, files.get(files.size() - 1) + '\0');
    }
    return new Page<>(log.round, log.attempt, entries, Optional.empty());
  }

  /**
   * Returns the next files of a log, named from the directory of the round, in the order of their
   * names. Before an attempt has ended, each of its tasks has a detailed log of its own.
   *
   * @param from the first file, or a name before it
   */
  private List<String> files(Log<?> log, String from) throws IOException {
    Path round = directory.round(log.round);
    if (log.attempt == 0) {
      // The other logs belong to attempts, and there is no attempt yet.
      return log.name.equals(DETAILED) ? present(round, WHOLE, from) : List.of();
    }
    String attempt = "attempt-" + log.attempt + "/";
    boolean merged = Files.exists(round.resolve(attempt + log.name));
    if (!log.name.equals(DETAILED) || merged && !from.startsWith(attempt + "task-")) {
      return present(round, List.of(attempt + log.name), from);
    }
    TreeSet<String> first = new TreeSet<>();
    try (DirectoryStream<Path> tasks =
        Files.newDirectoryStream(round.resolve(attempt), "task-*." + DETAILED)) {
      for (Path task : tasks) {
        String name = attempt + task.getFileName();
        if (name.compareTo(from) >= 0) {
          first.add(name);
        }
        if (first.size() > FILES) {
          first.pollLast();
        }
      }
    }
    return List.copyOf(first);
  }

  private static List<String> present(Path round, List<String> names, String from) {
    return names.stream()
        .filter(name -> name.compareTo(from) >= 0 && Files.exists(round.resolve(name)))
        .toList();
  }
}
