package io.braid.groups;

/** The group is deleted, being deleted, or led by another process. */
public class GroupGoneException extends GroupException {
  public GroupGoneException(String name, String what) {
    super("Group '" + name + "' " + what + ".", null);
  }
}
