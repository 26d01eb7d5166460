package io.braid.groups;

import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * The group does not exist, is being deleted, or is led by another process. {@link Groups#find
 * Groups.find} tells which: open the group again, or create it. Its commits are in the store, or
 * will be.
 */
@API(status = API.Status.STABLE)
public class GroupGoneException extends GroupException {
  public GroupGoneException(String name, String what) {
    this("Group '" + name + "' " + what + ".");
  }

  private GroupGoneException(String text) {
    super(ErrorCode.NO_SUCH_GROUP, text, null);
  }

  /** Rebuilds the exception from the text of another process. */
  public static GroupGoneException said(String text) {
    return new GroupGoneException(text);
  }
}
