package io.braid.groups.rows;

import org.apiguardian.api.API;

/** The state of a key group. */
@API(status = API.Status.STABLE)
public enum GroupState {
  /** Its rows are asked to join; it runs no transaction yet. */
  FORMING,
  /** It runs transactions. */
  LIVE,
  /** Its commits are shipped, then its rows are freed. */
  DELETING
}
