package io.braid.groups;

import org.apiguardian.api.API;

/**
 * The store does not take a commit of the group, or the group cannot be taken up. Only manual
 * intervention helps: the text explains the reason and the remedy. The commits of the group are
 * kept; {@link Groups#pending Groups.pending} reads them.
 */
@API(status = API.Status.STABLE)
public class GroupStuckException extends GroupException {
  private static final long serialVersionUID = 1;

  /**
   * @param trouble the trouble of the group, as in {@link GroupInfo#trouble}
   */
  public GroupStuckException(String name, String what, String trouble) {
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
