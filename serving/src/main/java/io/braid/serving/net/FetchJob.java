package io.braid.serving.net;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.serving.fetch.Fetch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A fetch that runs, or has ended. */
public final class FetchJob {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final long version;
  private final String from;
  private final Fetch fetch;
  private volatile State state = State.RUNNING;
  private volatile String problem = "";
  private final Task task;

  /** The state of the fetch. */
  public enum State {
    RUNNING,
    DONE,
    FAILED
  }

  private FetchJob(Seams seams, String store, long version, String from, Fetch fetch) {
    this.version = version;
    this.from = from;
    this.fetch = fetch;
    this.task = seams.start("fetch-" + store, this::run);
  }

  static FetchJob start(Seams seams, String store, long version, String from, Fetch fetch) {
    return new FetchJob(seams, store, version, from, fetch);
  }

  /** Whether this is the fetch of that version from there. */
  boolean isOf(long number, String source) {
    return version == number && from.equals(source);
  }

  private void run() {
    try {
      fetch.run();
      state = State.DONE;
    } catch (IOException | RuntimeException | Error e) {
      // Any failure counts, since nothing else ends the fetch.
      problem = e.getMessage() == null ? e.toString() : e.getMessage();
      state = State.FAILED;
    }
  }

  public long version() {
    return version;
  }

  /** Where it comes from. */
  public String from() {
    return from;
  }

  public State state() {
    return state;
  }

  public boolean ended() {
    return state != State.RUNNING;
  }

  /** Why it failed. */
  public String problem() {
    return problem;
  }

  public long fetched() {
    return fetch.fetched();
  }

  public long total() {
    return fetch.total();
  }

  /** The version that data files were made of, with deltas; 0: none. */
  public long base() {
    return fetch.base();
  }

  /** Bytes that needed not come over because of that. */
  public long spared() {
    return fetch.spared();
  }

  /** Bytes that were copied from peers. */
  public long copied() {
    return fetch.copied();
  }

  /** Where a file is that has come in whole, while others are still to come. */
  Optional<Path> arrived(String file) {
    return fetch.arrived(file);
  }

  void stop() {
    fetch.stop();
    task.stop();
    task.join(PATIENCE);
  }
}
