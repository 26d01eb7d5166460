package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The part of an engine that belongs to one life of a store. It shows nothing of other lives and
 * takes nothing of them. Writes from before the store was dropped or emptied may come later, by a
 * slow request, a hint or a replica that was away. They may also still be on disk.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class LifeEngine implements Engine {
  private static final int PAGE = 1000;

  private final Engine engine;
  private final long life;

  /**
   * @param life of the store, see {@link io.braid.serving.ring.StoreDefinition}
   */
  public LifeEngine(Engine engine, long life) {
    this.engine = engine;
    this.life = life;
  }

  /** Whether a version is of this life. */
  boolean has(VersionedValue version) {
    return version.clock().life() == life;
  }

  private List<VersionedValue> of(List<VersionedValue> siblings) {
    return siblings.stream().allMatch(this::has)
        ? siblings
        : siblings.stream().filter(this::has).toList();
  }

  @Override
  public List<VersionedValue> get(Bytes key) {
    return of(engine.get(key));
  }

  @Override
  public boolean put(Bytes key, VersionedValue fresh) {
    return has(fresh) && engine.put(key, fresh);
  }

  @Override
  public boolean putFirst(Bytes key, VersionedValue fresh, int master) {
    return has(fresh) && engine.putFirst(key, fresh, master);
  }

  @Override
  public void putAll(List<Entry> fresh) {
    engine.putAll(select(fresh.stream(), this::has));
  }

  private static List<Entry> select(Stream<Entry> entries, Predicate<VersionedValue> wanted) {
    return entries
        .map(e -> new Entry(e.key(), e.siblings().stream().filter(wanted).toList()))
        .filter(entry -> !entry.siblings().isEmpty())
        .toList();
  }

  @Override
  public void remove(Bytes key, List<VersionedValue> gone) {
    engine.remove(key, gone);
  }

  @Override
  public List<Entry> entries(@Nullable Bytes after, int most) {
    @Nullable Bytes last = after;
    while (true) {
      List<Entry> page = engine.entries(last, most);
      List<Entry> ours = select(page.stream(), this::has);
      if (page.isEmpty() || !ours.isEmpty()) {
        return ours;
      }
      last = page.get(page.size() - 1).key();
    }
  }

  /** Takes away what is of earlier lives; answers of how many tuples. */
  public long purge() {
    long purged = 0;
    @Nullable Bytes last = null;
    while (true) {
      List<Entry> page = engine.entries(last, PAGE);
      if (page.isEmpty()) {
        return purged;
      }
      last = page.get(page.size() - 1).key();
      List<Entry> gone = select(page.stream(), v -> v.clock().life() < life);
      if (!gone.isEmpty()) {
        engine.removeAll(gone);
      }
      purged += gone.size();
    }
  }

  @Override
  public void truncate() {
    engine.truncate();
  }
}
