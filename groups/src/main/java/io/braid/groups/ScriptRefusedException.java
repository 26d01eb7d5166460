package io.braid.groups;

import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** A condition of a script does not hold; nothing was written. */
@API(status = API.Status.STABLE)
public class ScriptRefusedException extends GroupException {
  private ScriptRefusedException(String text) {
    super(text, null);
  }

  static ScriptRefusedException because(String condition) {
    return said("The script was refused: " + condition + " Nothing was written.");
  }

  /** Rebuilds the exception from the text of another process. */
  public static ScriptRefusedException said(String text) {
    return new ScriptRefusedException(text);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.CONDITION_FAILED;
  }
}
