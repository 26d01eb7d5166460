package io.braid.serving.node;

import io.braid.serving.build.Manifest;
import io.braid.serving.chunk.Search;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a store that are mapped: the live one, those that were live and are kept, and
 * those that are made ready. Anybody may look one up; {@link ServedStore} makes one change at a
 * time.
 */
final class OpenVersions {
  private final StoreVersions versions;
  private final Search search;
  private final Map<Long, OpenVersion> mapped = new ConcurrentHashMap<>();

  /** Let go of, but not by all readers. */
  private final Set<OpenVersion> leaving = new HashSet<>();

  OpenVersions(StoreVersions versions, Search search) {
    this.versions = versions;
    this.search = search;
  }

  @Nullable OpenVersion get(long version) {
    return mapped.get(version);
  }

  /** Maps a version, unless its files are mapped already. */
  OpenVersion map(long version, Manifest manifest) throws IOException {
    OpenVersion open = mapped.get(version);
    if (open != null && !isCurrent(open)) {
      letGo(open);
      open = null;
    }
    if (open == null) {
      open = OpenVersion.open(version, versions.directory(version), manifest, search);
      mapped.put(version, open);
    }
    return open;
  }

  /** As {@link #map}, also of one that has been damaged since it was mapped. */
  OpenVersion mapOrGet(long version) throws IOException {
    OpenVersion open = mapped.get(version);
    return open != null ? open : map(version, versions.whole(version));
  }

  boolean isPrepared(long version) {
    OpenVersion open = mapped.get(version);
    return open != null && isCurrent(open);
  }

  /** No: it was damaged, cleared away, and fetched again since. */
  private boolean isCurrent(OpenVersion open) {
    return open.isServed() || open.isIn(versions.directory(open.version()));
  }

  /** Lets no reader ask for what was live after a version that was gone back to. */
  void takeAwayAbove(long version) {
    mapped.values().stream().filter(o -> o.version() > version).forEach(o -> o.served(false));
  }

  /**
   * Maps a version again whose manifest has changed.
   *
   * @param old the current mapping
   */
  OpenVersion remap(OpenVersion old) throws IOException {
    long version = old.version();
    OpenVersion fresh =
        OpenVersion.open(version, versions.directory(version), versions.whole(version), search);
    fresh.served(old.isServed());
    mapped.put(version, fresh);
    return fresh;
  }

  /** Lets go of all that are not kept. */
  void retire(List<Long> kept, @Nullable OpenVersion live) {
    leaving.removeIf(OpenVersion::retire);
    for (OpenVersion open : List.copyOf(mapped.values())) {
      if (!kept.contains(open.version()) && open != live) {
        mapped.remove(open.version());
        letGo(open);
      }
    }
  }

  /** Unmaps a version as soon as its last reader has gone. */
  void letGo(OpenVersion open) {
    if (!open.retire()) {
      leaving.add(open);
    }
  }

  void close() {
    mapped.values().forEach(OpenVersion::abandon);
    mapped.clear();
    leaving.forEach(OpenVersion::abandon);
    leaving.clear();
  }
}
