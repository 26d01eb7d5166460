package io.braid.serving.chunk;

import org.apiguardian.api.API;

/**
 * How the sorted index is searched (section 4.2.2).
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public enum Search {
  /** Halves the range: more steps, and the index is in memory sooner. */
  BINARY,

  /** Guesses from the hash, which is spread evenly: fewer steps. */
  INTERPOLATION
}
