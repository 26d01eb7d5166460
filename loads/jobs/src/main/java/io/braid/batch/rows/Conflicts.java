package io.braid.batch.rows;

import org.apiguardian.api.API;

/** The treatment of a cell that others wrote after the load began. */
@API(status = API.Status.EXPERIMENTAL)
public enum Conflicts {
  /** The cell stays: the newer write wins. */
  NEWER,
  /** The record is refused, and listed. */
  FAIL,
  /** The load writes over it. */
  LOAD
}
