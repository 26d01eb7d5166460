package io.braid.omid;

import org.apiguardian.api.API;

/** The writer of the entries of the commit table. */
@API(status = API.Status.EXPERIMENTAL)
public enum OmidEntries {
  /** The client, as in Omid LL: readers may be first, and make it abort. */
  BY_CLIENT,
  /**
   * The manager, before it answers, as in the first Omid: a begin waits until all commits before it
   * are written, and readers pass over cells without an entry. For comparisons: it takes a {@link
   * LegacyManager}.
   */
  BY_MANAGER
}
