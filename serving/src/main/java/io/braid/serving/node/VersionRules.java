package io.braid.serving.node;

import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.build.Manifest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which version of a store may go live, come in, or be gone back to, and which requests come too
 * late.
 */
final class VersionRules {
  private final String store;

  VersionRules(String store) {
    this.store = store;
  }

  /**
   * Refuses a version that is below the live one, or, unless forced, was rolled back or is
   * suspiciously small.
   *
   * @param now what is live, and was rolled back
   * @param before what is live; null when nothing is
   */
  void admit(
      long version, Manifest manifest, LatestRecord now, @Nullable Manifest before, boolean force) {
    long live = now.live();
    if (version < live) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Version "
              + version
              + " of "
              + store
              + " is below the live version "
              + live
              + ": a swap goes upwards. To go back, roll back.");
    }
    refuseRolledBack(version, now, force);
    if (!force) {
      refuseSmall(version, manifest, before);
    }
  }

  /** Refuses a version that was rolled back, unless forced. A push may try again. */
  void refuseRolledBack(long version, LatestRecord now, boolean force) {
    Rollback why = now.rolledBack().get(version);
    if (why != null && !why.byPush() && !force) {
      throw rolledBack(version, why);
    }
  }

  /** Returns the refusal of a version that was rolled back. */
  ServingException rolledBack(long version, Rollback why) {
    return new ServingException(
        ErrorCode.VERSION_REFUSED,
        "Version "
            + version
            + " of "
            + store
            + " was rolled back ("
            + why.reason()
            + "). Fetch a new version; if this one is right after all, name it and force the swap:"
            + " store swap "
            + store
            + " "
            + version
            + " --force.");
  }

  /** Returns the refusal of a swap when the only newer versions, if any, were rolled back. */
  ServingException nothingNew(long live, List<Long> rolledBack) {
    return new ServingException(
        ErrorCode.VERSION_REFUSED,
        "Store "
            + store
            + (live == 0 ? " has" : " is at version " + live + " and has")
            + " nothing newer"
            + (rolledBack.isEmpty()
                ? ": fetch a version first."
                : " but what was rolled back, "
                    + rolledBack
                    + ". Fetch a new version; to take one of these, name it and force the swap."));
  }

  private void refuseSmall(long version, Manifest manifest, @Nullable Manifest live) {
    long least = Math.max(1, manifest.minimumKeys());
    if (live != null) {
      least = Math.max(least, live.keys() / 2);
    }
    if (manifest.keys() < least) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Version "
              + version
              + " of "
              + store
              + " has "
              + manifest.keys()
              + " keys, which is suspiciously few: at least "
              + least
              + " were expected. Look at its source; if it is right, force the swap.");
    }
  }

  /** Refuses what was asked for when the live version was another one, or the same one before. */
  void requireUnchanged(LiveVersion seen, LiveVersion now) {
    if (!seen.isStill(now)) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Store "
              + store
              + " is at version "
              + now.live()
              + " by now, which was made live since this was asked for. Look at its versions"
              + " again.");
    }
  }

  /** A rollback goes back from another version than the live one. */
  ServingException notLive(long from, long live) {
    return new ServingException(
        ErrorCode.VERSION_REFUSED,
        "Store "
            + store
            + " is at version "
            + live
            + " by now, and not at "
            + from
            + ", which was to be rolled back. Look at its versions again.");
  }

  /** A swap that comes late. */
  ServingException takenBack(long version) {
    return new ServingException(
        ErrorCode.VERSION_REFUSED,
        "Version "
            + version
            + " of "
            + store
            + " was taken back before this swap came. Push it again.");
  }

  /** A push that comes late. */
  ServingException ended(String push) {
    return new ServingException(
        ErrorCode.VERSION_REFUSED,
        "Push "
            + push
            + " of "
            + store
            + " was ended by a version rollback. Begin another one, with an id of its own.");
  }

  /** Refuses bytes that are over the store's quota, given those of its other versions. */
  void refuseOverQuota(long version, long bytes, long others, long quota) {
    if (quota != 0 && others + bytes > quota) {
      throw new ServingException(
          ErrorCode.VERSION_REFUSED,
          "Version "
              + version
              + " of "
              + store
              + " has "
              + bytes
              + " bytes, the versions that are here "
              + others
              + ", and the quota of the store is "
              + quota
              + ". Raise it, or keep fewer backups.");
    }
  }

  /**
   * The version that a rollback goes to: the one asked for, or the last that was live before.
   *
   * @param served in the order in which they went live; the last one is
   * @param version 0: the last one before
   */
  long rollbackTarget(List<Long> served, long version) {
    List<Long> backups = served.subList(0, Math.max(0, served.size() - 1));
    for (int i = backups.size() - 1; i >= 0; i--) {
      if (version == 0 || backups.get(i) == version) {
        return backups.get(i);
      }
    }
    throw new ServingException(
        ErrorCode.VERSION_REFUSED,
        "Store "
            + store
            + (version == 0
                ? " has no earlier version to roll back to."
                : " was never live at version " + version + ". It was at " + backups + "."));
  }
}
