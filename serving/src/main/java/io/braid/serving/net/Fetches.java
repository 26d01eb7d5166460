package io.braid.serving.net;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.StoreNames;
import io.braid.serving.fetch.Fetch;
import io.braid.serving.fetch.Peers;
import io.braid.serving.fetch.Source;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.StoreVersions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** The last fetch of each store of a node; so many run at a time, and one of a store. */
final class Fetches {
  private static final int PARALLEL = 4;

  private final Seams seams;
  private final int most;
  private final Throttle throttle;
  private final Map<String, FetchJob> jobs = new TreeMap<>();

  /**
   * @param most that run at a time
   * @param throttle for all of them together
   */
  Fetches(Seams seams, int most, Throttle throttle) {
    this.seams = seams;
    this.most = most;
    this.throttle = throttle;
  }

  /**
   * Starts to fetch a version, unless that is under way from there already.
   *
   * @param version 0: the next
   * @param peers of the fetch of a version
   * @return the version
   */
  synchronized long start(
      StoreVersions versions, String from, long version, LongFunction<Peers> peers)
      throws IOException {
    String name = versions.store();
    long number = version == 0 ? versions.next() : StoreNames.version(version);
    FetchJob running = jobs.get(name);
    if (running != null && !running.ended()) {
      if (running.isOf(number, from)) {
        return number;
      }
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Version " + running.version() + " of " + name + " is being fetched. Wait for its end.");
    }
    if (jobs.values().stream().filter(job -> !job.ended()).count() >= most) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED, most + " fetches are running here. Wait for the end of one.");
    }
    Fetch fetch =
        new Fetch(seams, versions, source(from), peers.apply(number), number, throttle, PARALLEL);
    jobs.put(name, FetchJob.start(seams, name, number, from, fetch));
    return number;
  }

  private Source source(String from) throws IOException {
    if (!Sources.isAddress(from) && !Path.of(from).isAbsolute()) {
      throw new IllegalArgumentException(
          "'" + from + "' is no address, as http://... or hdfs://..., and no absolute path.");
    }
    return Sources.of(from);
  }

  synchronized boolean isAnyRunning() {
    return jobs.values().stream().anyMatch(job -> !job.ended());
  }

  /**
   * The last fetch of a store.
   *
   * @throws ServingException {@code NO_SUCH_STORE} when nothing was fetched
   */
  synchronized FetchJob of(String name) {
    FetchJob job = jobs.get(name);
    if (job == null) {
      throw ServingException.noStoreHere(name);
    }
    return job;
  }

  /**
   * Where a file of a version is: in the version's directory, or, when it has come in whole while
   * the version is fetched, in that of the fetch.
   */
  synchronized Path file(StoreVersions versions, long version, String file) {
    Path whole = versions.directory(version).resolve(file);
    FetchJob job = jobs.get(versions.store());
    return job == null || job.version() != version || Files.exists(whole)
        ? whole
        : job.arrived(file).orElse(whole);
  }

  synchronized void stop() {
    jobs.values().forEach(FetchJob::stop);
  }
}
