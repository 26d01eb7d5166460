package io.braid.groups;

/**
 * The group does not exist, is being deleted, or is led by another process. {@link Groups#find
 * Groups.find} tells which: open it again, or create it. What it had committed is in the store, or
 * will be.
 */
public class GroupGoneException extends GroupException {
  public GroupGoneException(String name, String what) {
    this("Group '" + name + "' " + what + ".");
  }

  private GroupGoneException(String text) {
    super(text, null);
  }

  /** As another process said it. */
  public static GroupGoneException said(String text) {
    return new GroupGoneException(text);
  }
}
