package io.braid.batch.snapshot;

import java.util.Locale;
import org.apiguardian.api.API;

/** The way in which the records of a load get into the store. */
@API(status = API.Status.EXPERIMENTAL)
public enum Algorithm {
  /** One procedure for each record (section 3): rows appear one by one. */
  STANDARD,
  /** Snapshots go unsorted to the receivers, which sort them one by one (algorithm 3). */
  IMPORT_SORT,
  /**
   * All records are sorted by tablet first, as by a reduce stage; then they are imported (algorithm
   * 4).
   */
  HADOOP_SORT,
  /**
   * Senders sort snapshots; receivers merge the snapshots of a tablet that have arrived (algorithm
   * 5).
   */
  VANILLA_SORT,
  /** Whichever is predicted to be the fastest; a job that was made knows which. */
  AUTO;

  /** Returns whether it writes files that the store takes over. */
  public boolean usesSnapshots() {
    return this != STANDARD && this != AUTO;
  }

  /** Returns the name on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * @throws IllegalArgumentException when there is no algorithm of this name
   */
  public static Algorithm of(String text) {
    for (Algorithm each : values()) {
      if (each.text().equals(text)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "No algorithm is called '"
            + text
            + "': say standard, import-sort, hadoop-sort, vanilla-sort or auto.");
  }
}
