package io.braid.gateway.api;

import io.braid.batch.JobException;
import io.braid.batch.job.JobView;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.http.HttpRefusal;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs that work in this process, each on a thread of its own. */
final class RunningJobs {
  private static final Logger LOG = LoggerFactory.getLogger(RunningJobs.class);

  /** The work of a job until it ends or breaks off. */
  interface Work {
    void run(JobView view) throws IOException;
  }

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final class RunningJob implements JobView {
    private @Nullable Task task;
    private volatile JobView.Progress progress = new JobView.Progress("begin", 0, 0, 0, 0, 0, 0);

    @Override
    public void progress(JobView.Progress now) {
      progress = now;
    }
  }

  private final Seams seams;
  private final Tracer tracer;
  private final int most;
  private final Map<String, RunningJob> running = new ConcurrentHashMap<>();
  // Guarded by this.
  private boolean ended;

  RunningJobs(Seams seams, OpenTelemetry traces, int most) {
    this.seams = seams;
    this.tracer = traces.getTracer("io.braid");
    this.most = most;
  }

  /** A place for a job; to be given up by {@link #close}, unless the job was started. */
  final class Place implements AutoCloseable {
    private final String id;
    private final RunningJob job = new RunningJob();
    private boolean started;

    private Place(String id) {
      this.id = id;
    }

    /**
     * Begins to work on the job, which is a span of the trace that this is called in.
     *
     * @param table that is loaded
     */
    void start(String table, Work work) {
      Span span = tracer.spanBuilder("load").setAttribute("braid.tables", table).startSpan();
      try {
        job.task = seams.start("braid-job-" + id, () -> work(id, job, work, span));
        started = true;
      } catch (OutOfMemoryError e) {
        failed(span, e);
        span.end();
        throw new HttpRefusal(
            503, "no thread", "The system has no thread for the job now: resume it later.");
      }
    }

    @Override
    public void close() {
      if (!started) {
        running.remove(id);
      }
    }
  }

  /**
   * Takes a place for a job, before anything is done for it.
   *
   * @throws HttpRefusal when it runs already, or too many do
   */
  synchronized Place place(String id) {
    if (ended) {
      throw new HttpRefusal(503, "ending", "This node is ending: resume the job at another time.");
    }
    if (running.containsKey(id)) {
      throw new HttpRefusal(409, "running", "Job " + id + " runs already.");
    }
    if (running.size() >= most) {
      throw new HttpRefusal(
          429,
          "too many",
          running.size() + " loads run here, the limit: wait until one has ended.");
    }
    Place place = new Place(id);
    running.put(id, place.job);
    return place;
  }

  private void work(String id, RunningJob job, Work work, Span span) {
    try {
      work.run(job);
    } catch (JobException e) {
      failed(span, e);
      LOG.info("Job {} has ended early: {}", id, e.getMessage());
    } catch (IOException | RuntimeException e) {
      failed(span, e);
      LOG.warn("Job {} broke off; it can be resumed.", id, e);
    } finally {
      running.remove(id);
      span.setAttribute("braid.rows", job.progress.done());
      span.setAttribute("braid.failed", job.progress.failed());
      span.end();
    }
  }

  private static void failed(Span span, Throwable why) {
    span.setStatus(StatusCode.ERROR).setAttribute("error.type", why.getClass().getName());
  }

  /** How far a job is that works here. */
  Optional<JobView.Progress> progress(String id) {
    return Optional.ofNullable(running.get(id)).map(job -> job.progress);
  }

  /** Lets no more begin, and breaks off those that run; each can be resumed. */
  void end() {
    List<Task> tasks = new ArrayList<>();
    synchronized (this) {
      ended = true;
      for (RunningJob job : running.values()) {
        if (job.task != null) {
          tasks.add(job.task);
        }
      }
    }
    tasks.forEach(Task::stop);
    tasks.forEach(task -> task.join(PATIENCE));
  }
}
