package io.braid.groups;

/** The group is deleted, being deleted, or led by another process. */
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
