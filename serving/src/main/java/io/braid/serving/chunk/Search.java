package io.braid.serving.chunk;

/** How the sorted index is searched (section 4.2.2). */
public enum Search {
  /** Halves the range: more steps, and the index is in memory sooner. */
  BINARY,

  /** Guesses from the hash, which is spread evenly: fewer steps. */
  INTERPOLATION
}
