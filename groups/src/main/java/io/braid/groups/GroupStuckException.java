package io.braid.groups;

/**
 * A group has committed what the store does not take, or cannot be taken up, and only people can
 * help: the text says why, and how. What it has committed is kept, and can be read by {@link
 * Groups#pending Groups.pending}.
 */
public class GroupStuckException extends GroupException {
  private static final long serialVersionUID = 1;

  /**
   * @param trouble what is wrong with it, as {@link GroupInfo#trouble} says
   */
  GroupStuckException(String name, String what, String trouble) {
    super(
        "Group '"
            + name
            + "' "
            + what
            + ", since it "
            + trouble
            + " Mend that, or write another value over it in the group; 'braid group pending "
            + name
            + "' shows what is not in the store yet, and 'braid group delete "
            + name
            + " --force' gives it up.",
        null);
  }
}
