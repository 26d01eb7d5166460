package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.batch.job.AttemptReport;
import io.braid.batch.job.FailureEntry;
import io.braid.batch.job.JobDirectory;
import io.braid.batch.job.JobLogs;
import io.braid.batch.job.ShortCircuit;
import io.braid.batch.job.UnreadPart;
import io.braid.gateway.access.Role;
import io.braid.http.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The records that loads keep of their attempts and of failed work, a page at a time. */
final class JobLogRoutes {
  private static final int PAGE = 100;
  private static final int LARGEST_PAGE = 1000;

  private final RunningJobs running;
  private final Api.Loads loads;

  JobLogRoutes(RunningJobs running, Api.Loads loads) {
    this.running = running;
    this.loads = loads;
  }

  List<Route> all() {
    return List.of(
        Route.of(
                "GET",
                "/v1/jobs/{job}/attempts",
                Role.READ,
                "The attempts of a load, the newest first: when each ran, what it did, why it ended.",
                this::attempts)
            .takes("limit", "Attempts at most; 100 if absent, 1000 at most.")
            .takes("after", "As 'next' of the page before says."),
        Route.of(
                "GET",
                "/v1/jobs/{job}/logs/{log}",
                Role.READ,
                "A log of a load: records that were not written (detailed), tasks that ended since"
                    + " too many of their records failed (short-circuit), input that could not be"
                    + " read (unread).",
                this::log)
            .takes("round", "The newest if absent.")
            .takes(
                "attempt",
                "If absent the newest; of 'detailed' what counts of all attempts of the round.")
            .takes("limit", "Entries at most; 100 if absent, 1000 at most.")
            .takes("after", "As 'next' of the page before says."));
  }

  private JsonNode attempts(Request request) throws IOException {
    JobDirectory directory = JobRoutes.directory(loads, request, Role.READ);
    int most = limit(request);
    List<AttemptReport> seen = directory.logs().attempts(request.parameter("after"), most + 1);
    boolean works =
        running.progress(request.part("job")).isPresent()
            || !directory.state().ended() && directory.isLocked();
    // The process that worked on the last attempt may have ended the attempt since.
    List<AttemptReport> found =
        works ? seen : directory.logs().attempts(request.parameter("after"), most + 1);
    ObjectNode answer = Json.object();
    ArrayNode attempts = answer.putArray("attempts");
    found.stream().limit(most).forEach(each -> attempts.add(object(each, works)));
    if (found.size() > most) {
      answer.put("next", found.get(most - 1).name());
    }
    return answer;
  }

  private static ObjectNode object(AttemptReport attempt, boolean works) {
    ObjectNode object =
        Json.object().put("round", attempt.round()).put("attempt", attempt.number());
    if (attempt.begunMillis() > 0) {
      object.put("begun", Instant.ofEpochMilli(attempt.begunMillis()).toString());
    }
    if (attempt.endedMillis() > 0) {
      object.put("ended", Instant.ofEpochMilli(attempt.endedMillis()).toString());
    }
    object.put("end", attempt.word(works)).put("why", attempt.why());
    object
        .put("tasks_done", attempt.tasksDone())
        .put("short_circuited", attempt.shortCircuited())
        .put("unread", attempt.unread());
    object.set("counts", JobRoutes.counts(attempt.counts()));
    return object;
  }

  private JsonNode log(Request request) throws IOException {
    JobLogs logs = JobRoutes.directory(loads, request, Role.READ).logs();
    JobLogs.Part part =
        new JobLogs.Part(
            number(request, "round"),
            number(request, "attempt"),
            request.parameter("after"),
            limit(request));
    return switch (request.part("log")) {
      case "detailed" -> answer(logs.detailed(part), JobLogRoutes::failure);
      case "short-circuit" -> answer(logs.shortCircuits(part), JobLogRoutes::shortCircuit);
      case "unread" -> answer(logs.unread(part), JobLogRoutes::unread);
      default ->
          throw new IllegalArgumentException(
              "There is no log '"
                  + request.part("log")
                  + "'. There are: detailed, short-circuit, unread.");
    };
  }

  private static <T> ObjectNode answer(JobLogs.Page<T> page, BiConsumer<ObjectNode, T> write) {
    ObjectNode answer = Json.object().put("round", page.round()).put("attempt", page.attempt());
    ArrayNode entries = answer.putArray("entries");
    page.entries().forEach(entry -> write.accept(entries.addObject(), entry));
    page.next().ifPresent(next -> answer.put("next", next));
    return answer;
  }

  private static void failure(ObjectNode to, FailureEntry entry) {
    to.put("task", entry.task())
        .put("file", entry.file())
        .put("offset", entry.offset())
        .put("code", entry.code())
        .put("permanent", entry.permanent())
        .put("tries", entry.attempts())
        .put("detail", entry.detail());
  }

  private static void shortCircuit(ObjectNode to, ShortCircuit entry) {
    to.put("task", entry.task())
        .put("file", entry.file())
        .put("from", entry.from())
        .put("to", entry.to())
        .put("read", entry.read())
        .put("why", entry.why());
  }

  private static void unread(ObjectNode to, UnreadPart entry) {
    to.put("task", entry.task())
        .put("file", entry.file())
        .put("from", entry.from())
        .put("to", entry.to())
        .put("at", entry.at())
        .put("tries", entry.tries())
        .put("why", entry.why());
  }

  private static int limit(Request request) {
    return limit(request, PAGE);
  }

  static int limit(Request request, int usual) {
    int limit = number(request, "limit").orElse(usual);
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw new IllegalArgumentException("'limit' is between 1 and " + LARGEST_PAGE + ".");
    }
    return limit;
  }

  private static Optional<Integer> number(Request request, String name) {
    try {
      return request.parameter(name).map(Integer::valueOf);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + name + "' is a whole number.", e);
    }
  }
}
