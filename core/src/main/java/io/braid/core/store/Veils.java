package io.braid.core.store;

import io.braid.core.data.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apiguardian.api.API;

/**
 * The veils of a table: versions whose cells are hidden, or are shown at another version since the
 * veil was lifted. Stores apply these rules wherever they read.
 *
 * <p>Let <em>v</em> be the version of a veil and <em>c</em> the version that it was lifted to,
 * which is above <em>v</em>. A cell of version <em>v</em>
 *
 * <ul>
 *   <li>is hidden while the veil is down, and for ever once the veil was discarded;
 *   <li>afterwards it is shown at <em>c</em>, if no other cell of its column lies between
 *       <em>v</em> and <em>c</em>, or the veil is one that wins;
 *   <li>else it is shown at <em>v</em>, below the cells in between, to readers that look as far up
 *       as <em>c</em>: that is garbage, which no snapshot can read.
 * </ul>
 *
 * <p>So a lift above some version changes nothing that is shown at or below that version.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class Veils {
  /** The answer of {@link #shown shown} for hidden cells. */
  public static final long HIDDEN = -1;

  /** No veil. */
  public static final Veils NONE = new Veils(List.of());

  private final List<Veil> all;
  private final long[] versions;
  private final long[] commits;
  private final boolean wins;
  private final long highestCommit;

  /**
   * A veil.
   *
   * @param commit the version that its cells are shown at; {@link Long#MAX_VALUE} while it is down,
   *     0 once it was discarded
   * @param wins whether its cells come above what was written between the two versions
   */
  public record Veil(long version, long commit, boolean wins) {
    public boolean isDown() {
      return commit == Long.MAX_VALUE;
    }

    public boolean isLifted() {
      return commit != 0 && !isDown();
    }
  }

  /**
   * @param veils of different versions
   */
  public Veils(List<Veil> veils) {
    List<Veil> sorted = new ArrayList<>(veils);
    sorted.sort((a, b) -> Long.compare(a.version, b.version));
    all = List.copyOf(sorted);
    versions = all.stream().mapToLong(Veil::version).toArray();
    commits = all.stream().mapToLong(veil -> veil.isLifted() ? veil.commit : HIDDEN).toArray();
    wins = all.stream().anyMatch(veil -> veil.wins && veil.isLifted());
    highestCommit = Arrays.stream(commits).max().orElse(HIDDEN);
  }

  /** The highest version that cells of a lifted veil are shown at; {@link #HIDDEN} without one. */
  public long highestCommit() {
    return highestCommit;
  }

  /** In the order of their versions. */
  public List<Veil> all() {
    return all;
  }

  public boolean isEmpty() {
    return versions.length == 0;
  }

  /** The veil of a version; a new one, which is down, if there is none. */
  public Veil of(long version, boolean ifNewWins) {
    int at = Arrays.binarySearch(versions, version);
    return at >= 0 ? all.get(at) : new Veil(version, Long.MAX_VALUE, ifNewWins);
  }

  /**
   * A veil that may be lifted or has been.
   *
   * @throws StoreException when there is none, it was discarded, or the versions to compare it with
   *     may have been collected
   */
  public Veil require(long version, long watermark) {
    int at = Arrays.binarySearch(versions, version);
    Veil veil = at < 0 ? null : all.get(at);
    if (veil == null || veil.commit == 0) {
      throw new StoreException("There is no veil over version " + version + " to be lifted.");
    }
    if (veil.isDown() && watermark > version) {
      throw new StoreException(
          "The low watermark "
              + watermark
              + " is above the veil over version "
              + version
              + ": it cannot be lifted any more.");
    }
    return veil;
  }

  /** These veils with one added or replaced. */
  public Veils with(Veil veil) {
    List<Veil> others = new ArrayList<>(all);
    others.removeIf(each -> each.version == veil.version);
    others.add(veil);
    return new Veils(others);
  }

  /** At which version a cell of this version is shown at most, or {@link #HIDDEN}. */
  public long shown(long version) {
    int at = Arrays.binarySearch(versions, version);
    return at < 0 ? version : commits[at];
  }

  /** Returns the stored version of a cell that is shown at this version. */
  public long stored(long shown) {
    for (int i = 0; i < commits.length; i++) {
      if (commits[i] == shown) {
        return versions[i];
      }
    }
    return shown;
  }

  /** Returns whether a cell stored at this version is hidden. */
  public boolean hides(long version) {
    return shown(version) == HIDDEN;
  }

  /**
   * Returns the version of a veil that wins and was lifted to between {@code above} and {@code
   * atMost}: its cell would come above one shown at {@code above}. Returns 0 when there is none. If
   * the column has no cell of that version, call again with the answer as {@code below}.
   *
   * @param below look for versions below this one only
   */
  public long winner(long above, long atMost, long below) {
    if (!wins) {
      return 0;
    }
    for (int i = versions.length - 1; i >= 0; i--) {
      if (versions[i] < Math.min(above, below)
          && commits[i] > above
          && commits[i] <= atMost
          && all.get(i).wins) {
        return versions[i];
      }
    }
    return 0;
  }

  /** Returns the lowest stored version to look at for cells shown in a range. */
  public long lowest(long minVersion, long maxVersion) {
    long lowest = minVersion;
    for (int i = 0; i < versions.length; i++) {
      if (commits[i] >= minVersion && commits[i] <= maxVersion) {
        lowest = Math.min(lowest, versions[i]);
      }
    }
    return lowest;
  }

  /**
   * Returns the cells of a column that are shown.
   *
   * @param stored all its cells at or below {@code maxVersion} and at or above {@link #lowest
   *     lowest}, from the highest version down
   */
  public List<Cell> show(List<Cell> stored, long minVersion, long maxVersion, int limit) {
    List<Cell> shown = new ArrayList<>(Math.min(limit, stored.size()));
    for (Cell cell : stored) {
      long at = shown(cell.version());
      if (at != HIDDEN && at <= maxVersion) {
        insert(shown, cell, at);
      }
    }
    shown.removeIf(cell -> cell.version() < minVersion);
    return shown.size() > limit ? new ArrayList<>(shown.subList(0, limit)) : shown;
  }

  private void insert(List<Cell> shown, Cell cell, long at) {
    int place = shown.size();
    if (at != cell.version() && of(cell.version(), false).wins) {
      while (place > 0 && shown.get(place - 1).version() < at) {
        place--;
      }
      shown.add(place, new Cell(cell.column(), at, cell.value()));
    } else if (at != cell.version() && (place == 0 || shown.get(place - 1).version() > at)) {
      shown.add(new Cell(cell.column(), at, cell.value()));
    } else {
      shown.add(cell);
    }
  }
}
