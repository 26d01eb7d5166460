package io.braid.gateway.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.Braid;
import io.braid.batch.JobException;
import io.braid.batch.job.FailureEntry;
import io.braid.batch.job.JobDirectory;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobSpec;
import io.braid.batch.job.JobState;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.job.RecordCounts;
import io.braid.batch.mapping.JsonWords;
import io.braid.batch.mapping.Mapping;
import io.braid.core.failure.ErrorCode;
import io.braid.gateway.access.Role;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads into the database that is open here, of files in a directory that the configuration names.
 * The caller chooses the id of a job. Two requests with the same id make one job, so that a client
 * whose answer was lost can ask again.
 */
final class JobRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(JobRoutes.class);

  private static final int EXAMPLES = 10;
  private static final int MOST_LISTED = 1000;
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          .build();

  private final Braid db;
  private final RunningJobs running;
  private final Api.Loads loads;

  JobRoutes(Braid db, RunningJobs running, Api.Loads loads) {
    this.db = db;
    this.running = running;
    this.loads = loads;
  }

  List<Route> all() {
    return List.of(
        Route.of("GET", "/v1/jobs", Role.READ, "The loads that were begun here.", this::list)
            .takes("limit", "Loads at most; 1000 if absent, and at most.")
            .takes("after", "As 'next' of the page before says."),
        Route.of(
            "GET",
            "/v1/jobs/{job}",
            Role.READ,
            "A load: its record counts, how far it is, why records failed.",
            this::show),
        Route.of(
                "PUT",
                "/v1/jobs/{job}",
                Role.WRITE,
                "Begin a load of files that lie on the server; answers at once.",
                this::create)
            .body("Load"),
        Route.of(
            "POST",
            "/v1/jobs/{job}/resume",
            Role.WRITE,
            "Do the tasks of a load that are not done.",
            request -> go(request, LoadJob::requireRunnable, LoadJob::run)),
        Route.of(
            "POST",
            "/v1/jobs/{job}/retry",
            Role.WRITE,
            "Try the records again that were not written.",
            request -> go(request, LoadJob::requireRetryable, LoadJob::retry)),
        Route.of(
            "POST",
            "/v1/jobs/{job}/commit",
            Role.WRITE,
            "Make an atomic load visible although records are missing.",
            request -> go(request, LoadJob::requireCommittable, (job, view) -> job.commit())),
        Route.of("DELETE", "/v1/jobs/{job}", Role.WRITE, "End a load.", this::cancel));
  }

  void end() {
    running.end();
  }

  /** Reads a bounded number of jobs, whether the identity may see them or not. */
  private JsonNode list(Request request) throws IOException {
    int most = JobLogRoutes.limit(request, MOST_LISTED);
    String after = request.parameter("after").orElse("");
    List<String> ids =
        JobDirectory.ids(loads.jobs()).stream().filter(id -> id.compareTo(after) > 0).toList();
    ObjectNode answer = Json.object();
    ArrayNode jobs = answer.putArray("jobs");
    for (String id : ids.subList(0, Math.min(most, ids.size()))) {
      try {
        JobReport report = JobDirectory.of(loads.jobs(), id).report();
        if (request.identity().may(Role.READ, report.spec().table())) {
          jobs.add(object(request, report));
        }
      } catch (JobException e) {
        // A damaged job hides no other.
        LOG.warn("Job {} cannot be listed: {}", id, e.getMessage());
      }
    }
    return ids.size() > most ? answer.put("next", ids.get(most - 1)) : answer;
  }

  private ObjectNode object(Request request, JobReport seen) throws IOException {
    String id = seen.spec().id();
    JobDirectory directory = JobDirectory.of(loads.jobs(), id);
    boolean works = works(directory, seen);
    // The process that worked on the job at the time of the first look may have finished since.
    JobReport report = works || seen.state().ended() ? seen : directory.report();
    RecordCounts counts = report.counts();
    ObjectNode object =
        Json.object()
            .put("job", id)
            .put("table", report.spec().table())
            .put("state", report.state().word(works))
            .put("working", works)
            .put("tasks", report.tasks())
            .put("tasks_open", report.unfinished());
    object.put("atomic", report.spec().options().whole()).put("waits", report.waits(works));
    ArrayNode may = object.putArray("may");
    if (request.identity().may(Role.WRITE, report.spec().table())) {
      report.steps(works).forEach(step -> may.add(step.name().toLowerCase(Locale.ROOT)));
    }
    object.set("counts", counts(counts));
    running.progress(id).ifPresent(now -> object.set("progress", progress(now)));
    return object.put("message", report.state().message());
  }

  /** Returns whether a process works on a job, here or elsewhere. */
  private boolean works(JobDirectory directory, JobReport report) throws IOException {
    return running.progress(report.spec().id()).isPresent()
        || !report.state().ended() && directory.isLocked();
  }

  static ObjectNode counts(RecordCounts counts) {
    return Json.object()
        .put("read", counts.read())
        .put("written", counts.written())
        .put("kept", counts.kept())
        .put("duplicates", counts.duplicates())
        .put("rejected", counts.rejected())
        .put("left", counts.left())
        .put("balanced", counts.balanced());
  }

  private static ObjectNode progress(JobView.Progress now) {
    ObjectNode object =
        Json.object()
            .put("phase", now.phase())
            .put("records", now.records())
            .put("done", now.done())
            .put("failed", now.failed())
            .put("per_second", Math.round(now.rate()));
    return now.secondsLeft() < 0
        ? object
        : object.put("seconds_left", Math.round(now.secondsLeft()));
  }

  private JsonNode show(Request request) throws IOException {
    JobDirectory directory = directory(loads, request, Role.READ);
    JobReport report = directory.report();
    ObjectNode answer = object(request, report);
    answer.put("created", Instant.ofEpochMilli(report.spec().createdMillis()).toString());
    answer.set("inputs", JSON.valueToTree(report.spec().inputs()));
    answer.set("options", JSON.valueToTree(report.spec().options()));
    answer.set("mapping", JSON.valueToTree(report.spec().mapping()));
    ArrayNode failures = answer.putArray("failures");
    for (FailureEntry each : directory.failures(EXAMPLES)) {
      failures
          .addObject()
          .put("code", each.code())
          .put("file", each.file())
          .put("offset", each.offset())
          .put("detail", each.detail());
    }
    return answer;
  }

  /**
   * Returns the job of a request, if the identity has the role on its table. An identity that may
   * not even read the table does not learn that there is such a job.
   */
  static JobDirectory directory(Api.Loads loads, Request request, Role role) throws IOException {
    JobDirectory directory = JobDirectory.of(loads.jobs(), request.part("job"));
    Supplier<HttpRefusal> missing =
        () ->
            new HttpRefusal(
                404,
                ErrorCode.NO_SUCH_JOB.word(),
                "There is no job " + request.part("job") + " here: GET /v1/jobs.");
    if (!directory.exists()) {
      throw missing.get();
    }
    request.identity().requireVisible(directory.spec().table(), missing);
    request.identity().require(role, directory.spec().table());
    return directory;
  }

  private JsonNode create(Request request) throws IOException {
    ObjectNode body = request.body();
    String table = Naming.table(body.path("table").asText());
    request.identity().require(Role.WRITE, table);
    String id = request.part("job");
    List<Path> files = files(body.path("files"));
    Mapping mapping = read(body.path("mapping"), Mapping.class, "mapping");
    LoadOptions options = options(body.path("options"));
    JobDirectory directory = JobDirectory.of(loads.jobs(), id);
    if (directory.exists()) {
      LoadRequest again = new LoadRequest(table, files, mapping, options);
      return before(request, directory, again);
    }
    try (RunningJobs.Place place = running.place(id)) {
      LoadJob job = LoadJob.create(db.loads(), loads.jobs(), id, table, files, mapping, options);
      place.start(table, job::run);
    }
    return object(request, directory.report());
  }

  private void begin(LoadJob job) {
    try (RunningJobs.Place place = running.place(job.spec().id())) {
      place.start(job.spec().table(), job::run);
    }
  }

  private record LoadRequest(String table, List<Path> files, Mapping mapping, LoadOptions options) {
    boolean is(JobSpec spec) {
      List<String> paths = files.stream().map(file -> file.toAbsolutePath().toString()).toList();
      return spec.table().equals(table)
          && spec.inputs().equals(paths)
          && spec.mapping().equals(mapping)
          && spec.options().equals(options);
    }
  }

  /**
   * Answers a repeated request with the state of its job, unless the id belongs to another load.
   */
  private JsonNode before(Request request, JobDirectory directory, LoadRequest again)
      throws IOException {
    JobReport report = directory.report();
    if (!again.is(report.spec())) {
      throw new HttpRefusal(
          409,
          ErrorCode.JOB.word(),
          "There is another job of this id: choose a new one for a new load.");
    }
    LoadJob job = LoadJob.open(db.loads(), loads.jobs(), report.spec().id());
    if (!works(directory, report)) {
      job.requireSameTable();
      if (report.state().phase() == JobState.Phase.MADE) {
        // The server that made the job ended before the job began.
        begin(job);
      }
    }
    return object(request, directory.report()).put("repeated", true);
  }

  private List<Path> files(JsonNode array) throws IOException {
    Path inputs =
        loads
            .inputs()
            .orElseThrow(
                () ->
                    new HttpRefusal(
                        403,
                        "no inputs",
                        "This server loads no files: set server.inputs to the directory they are"
                            + " in."))
            .toRealPath();
    if (!array.isArray() || array.isEmpty()) {
      throw new IllegalArgumentException("'files' is an array of names of files.");
    }
    List<Path> files = new ArrayList<>();
    for (JsonNode each : array) {
      Path file = inputs.resolve(each.asText()).normalize();
      if (!each.isTextual() || !file.startsWith(inputs) || !real(file).startsWith(inputs)) {
        throw new IllegalArgumentException(
            "'" + each.asText() + "' is no file in the directory of server.inputs.");
      }
      files.add(file);
    }
    return files;
  }

  private static Path real(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "There is no file '" + file.getFileName() + "' in the directory of server.inputs.", e);
    }
  }

  private static LoadOptions options(JsonNode given) {
    ObjectNode all = JSON.valueToTree(LoadOptions.DEFAULT);
    given
        .fields()
        .forEachRemaining(
            each -> {
              if (!all.has(each.getKey())) {
                throw new IllegalArgumentException(
                    "There is no option '" + each.getKey() + "'. There are: " + names(all) + ".");
              }
              requireLike(all.get(each.getKey()), each.getKey(), each.getValue());
              all.set(each.getKey(), each.getValue());
            });
    return read(all, LoadOptions.class, "options");
  }

  /**
   * Requires the same kind of value: Jackson would make a number of a text, and true of a number.
   */
  private static void requireLike(JsonNode like, String name, JsonNode given) {
    if (like.isObject() && given.isObject()) {
      given
          .fields()
          .forEachRemaining(
              each ->
                  requireLike(
                      like.path(each.getKey()), name + "." + each.getKey(), each.getValue()));
      return;
    }
    boolean same =
        like.isIntegralNumber()
            ? given.isIntegralNumber()
            : like.isMissingNode() || like.getNodeType() == given.getNodeType();
    if (!same) {
      throw new IllegalArgumentException("Option '" + name + "' is of the kind of " + like + ".");
    }
  }

  private static List<String> names(ObjectNode all) {
    List<String> names = new ArrayList<>();
    all.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static <T> T read(JsonNode from, Class<T> type, String field) {
    try {
      return JSON.treeToValue(from, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("'" + field + "': " + JsonWords.of(e), e);
    }
  }

  private interface Step {
    JobReport of(LoadJob job, JobView view) throws IOException;
  }

  /** Refuses at once a request that the job would refuse, as far as its present state can tell. */
  private interface Check {
    void of(LoadJob job) throws IOException;
  }

  private JsonNode go(Request request, Check check, Step step) throws IOException {
    JobDirectory directory = directory(loads, request, Role.WRITE);
    String id = request.part("job");
    if (running.progress(id).isEmpty() && directory.isLocked(db.loads().seams())) {
      throw new HttpRefusal(
          409, "running", "Another process works on job " + id + ": wait for it, or cancel it.");
    }
    LoadJob job = LoadJob.open(db.loads(), loads.jobs(), id);
    check.of(job);
    try (RunningJobs.Place place = running.place(id)) {
      place.start(directory.spec().table(), view -> step.of(job, view));
    }
    return object(request, directory.report());
  }

  private JsonNode cancel(Request request) throws IOException {
    JobDirectory directory = directory(loads, request, Role.WRITE);
    LoadJob.open(db.loads(), loads.jobs(), request.part("job")).cancel();
    return object(request, directory.report());
  }
}
