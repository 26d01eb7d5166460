package io.braid.serving.net;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.DurableFiles;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Task;
import io.braid.serving.ServingException;
import io.braid.serving.build.Manifest;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.fetch.FileFetch;
import io.braid.serving.fetch.Source;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.MoveState;
import io.braid.serving.node.StoreVersions;
import io.braid.serving.rebalance.StolenVersion;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Brings chunks of other nodes into the versions that are served here (section 4.3.2). A chunk is a
 * pair of files, so this is a copy of files, data before index, each compared with its checksum as
 * it comes in. The manifest, which names them, is replaced at the end by one rename; then the
 * version is mapped again and has more partitions than before. Replicas that only change their
 * number are linked under their new name.
 */
final class ChunkTransfer {
  private static final int TRIES = 5;
  private static final Duration BETWEEN = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Seams seams;
  private final NodeMoves moves;
  private final NodeService service;
  private final MoveState move;
  private final List<StolenVersion> versions;
  private final Throttle throttle;
  private final AtomicLong fetched = new AtomicLong();
  private volatile long total;
  private volatile String problem = "";
  private volatile boolean ended;
  private volatile boolean stopped;
  private final Task task;

  /** A file that is to come. */
  private record WantedFile(Source source, String name, FileDigest digest, Path target) {}

  ChunkTransfer(
      Seams seams,
      NodeMoves moves,
      NodeService service,
      MoveState move,
      List<StolenVersion> versions) {
    this.seams = seams;
    this.moves = moves;
    this.service = service;
    this.move = move;
    this.versions = List.copyOf(versions);
    this.throttle = service.throttle();
    this.task = seams.start("steal", this::run);
  }

  boolean isRunning() {
    return !ended;
  }

  long fetched() {
    return fetched.get();
  }

  long total() {
    return total;
  }

  String problem() {
    return problem;
  }

  /** Whether it is to end. */
  boolean isStopped() {
    return stopped;
  }

  void stop() {
    stopped = true;
    task.stop();
    task.join(PATIENCE);
  }

  private void run() {
    try {
      List<Merge> merges = new ArrayList<>();
      for (StolenVersion version : versions) {
        merges.add(new Merge(version));
      }
      merges.forEach(merge -> merge.files().forEach(file -> total += file.digest().bytes()));
      for (Merge merge : merges) {
        merge.run();
      }
      moves.tuples().copy(move, this);
      moves.prepared(move.id());
    } catch (IOException | RuntimeException | Error e) {
      problem = e.getMessage() == null ? e.toString() : e.getMessage();
    } finally {
      ended = true;
    }
  }

  /** One version of a store, with what it has and what comes. */
  private final class Merge {
    private final StolenVersion version;
    private final StoreVersions here;
    private final Path directory;
    private final Map<String, Source> sources = new TreeMap<>();
    private final Map<String, Manifest> manifests = new TreeMap<>();
    private final List<WantedFile> data = new ArrayList<>();
    private final List<WantedFile> index = new ArrayList<>();
    private final Map<ChunkName, Manifest.Chunk> chunks = new TreeMap<>();
    private final Manifest base;

    Merge(StolenVersion version) throws IOException {
      this.version = version;
      this.here = service.versions(version.store());
      this.directory = here.directory(version.version());
      boolean has = here.chunks(version.version()).haveManifest();
      this.base =
          has
              ? here.whole(version.version())
              : manifest(version.donors().values().iterator().next());
      if (has) {
        base.chunks().forEach(chunk -> chunks.put(chunk.name(), chunk));
      }
      Map<Integer, Integer> held = base.definition().routing(move.to().ring()).held(move.self());
      for (Map.Entry<Integer, String> donor : version.donors().entrySet()) {
        Integer replica = held.get(donor.getKey());
        if (replica != null) {
          want(manifest(donor.getValue()), donor.getKey(), replica, donor.getValue());
        }
      }
    }

    private Manifest manifest(String address) throws IOException {
      Manifest known = manifests.get(address);
      if (known == null) {
        String folder =
            address + "/stores/" + version.store() + "/versions/" + version.version() + "/files/";
        Source source = new HttpSource(URI.create(folder));
        sources.put(address, source);
        try (InputStream in = source.open(ManifestFile.NAME, 0)) {
          known = ManifestFile.decode(in.readNBytes(ManifestFile.LIMIT), source.toString());
        }
        manifests.put(address, known);
      }
      return known;
    }

    private void want(Manifest theirs, int partition, int replica, String donor) {
      if (!theirs.isOfSameBuild(base)) {
        throw new ServingException(
            ErrorCode.VERSION_REFUSED,
            "Version "
                + version.version()
                + " of "
                + version.store()
                + " at "
                + donor
                + " is of another build than here. Push a new version to all nodes first.");
      }
      Source source = sources.get(donor);
      for (Manifest.Chunk chunk : theirs.chunks()) {
        ChunkName name = new ChunkName(partition, replica, chunk.name().chunk());
        if (source != null && chunk.name().partition() == partition && !chunks.containsKey(name)) {
          chunks.put(name, new Manifest.Chunk(name, chunk.records(), chunk.data(), chunk.index()));
          Path dataFile = directory.resolve(name.data());
          Path indexFile = directory.resolve(name.index());
          data.add(new WantedFile(source, chunk.name().data(), chunk.data(), dataFile));
          index.add(new WantedFile(source, chunk.name().index(), chunk.index(), indexFile));
        }
      }
    }

    List<WantedFile> files() {
      List<WantedFile> files = new ArrayList<>(data);
      files.addAll(index);
      return files;
    }

    void run() throws IOException {
      Files.createDirectories(directory);
      for (WantedFile file : files()) {
        fetch(file);
      }
      renumber();
      DurableFiles.syncDirectory(directory);
      List<Manifest.Chunk> all = List.copyOf(chunks.values());
      Manifest merged = base.with(move.self(), all);
      if (!here.chunks(version.version()).haveManifest()
          || !merged.equals(here.whole(version.version()))) {
        ManifestFile.write(directory, merged);
      }
      service.merged(version);
    }

    private void renumber() throws IOException {
      Map<Integer, Integer> held = base.definition().routing(move.to().ring()).held(move.self());
      for (Manifest.Chunk chunk : List.copyOf(chunks.values())) {
        ChunkName old = chunk.name();
        Integer replica = held.get(old.partition());
        if (replica != null && replica != old.replica()) {
          ChunkName name = new ChunkName(old.partition(), replica, old.chunk());
          link(old.data(), name.data());
          link(old.index(), name.index());
          chunks.put(name, new Manifest.Chunk(name, chunk.records(), chunk.data(), chunk.index()));
        }
      }
    }

    private void link(String from, String to) throws IOException {
      Path target = directory.resolve(to);
      if (!chunks.containsKey(ChunkName.ofFile(to).orElseThrow())) {
        Files.deleteIfExists(target);
      }
      if (!Files.exists(target)) {
        Files.createLink(target, directory.resolve(from));
      }
    }
  }

  private void fetch(WantedFile file) throws IOException {
    for (int attempt = 1; ; attempt++) {
      AtomicLong here = new AtomicLong();
      try {
        new FileFetch(file.source(), file.name(), file.digest(), file.target())
            .run(
                throttle,
                bytes -> {
                  here.addAndGet(bytes);
                  fetched.addAndGet(bytes);
                },
                () -> stopped);
        return;
      } catch (IOException e) {
        fetched.addAndGet(-here.get());
        if (attempt == TRIES || stopped) {
          throw new ServingException(
              ErrorCode.FETCH_FAILED,
              "File "
                  + file.name()
                  + " could not be copied from "
                  + file.source()
                  + ": "
                  + e.getMessage(),
              e);
        }
        seams.sleep(BETWEEN.multipliedBy(attempt));
      }
    }
  }
}
