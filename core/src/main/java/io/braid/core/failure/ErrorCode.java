package io.braid.core.failure;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * The reason of a failure, as one word for programs. A {@link BraidException} has one, an answer
 * over HTTP has it as {@code error}, one over gRPC as the reason in capitals, and the command line
 * prints it with {@code --json}. A code keeps its meaning; later versions may add codes.
 */
@API(status = API.Status.STABLE)
public enum ErrorCode {
  /** A value or name is not valid. */
  BAD_REQUEST(Remedy.CHANGE_REQUEST),
  /** A setting is not valid, or settings do not go together. */
  CONFIGURATION(Remedy.CHANGE_REQUEST),
  /** A request or an answer is longer than the limit. */
  TOO_LONG(Remedy.ASK_FOR_LESS),

  /** There is no such table or family. */
  NO_SUCH_TABLE(Remedy.CREATE_FIRST),
  /** There is no such group, or not any more. */
  NO_SUCH_GROUP(Remedy.CREATE_FIRST),
  /** There is no such store. */
  NO_SUCH_STORE(Remedy.CREATE_FIRST),
  /** There is no such index. */
  NO_SUCH_INDEX(Remedy.CREATE_FIRST),
  /** There is no such pin. */
  NO_SUCH_PIN(Remedy.CREATE_FIRST),
  /** There is no such job. */
  NO_SUCH_JOB(Remedy.CREATE_FIRST),
  /** There is no such observer. */
  NO_SUCH_OBSERVER(Remedy.CREATE_FIRST),
  /** The row has no such value. */
  NO_SUCH_VALUE(Remedy.CREATE_FIRST),
  /** The store has no such key. */
  NO_SUCH_KEY(Remedy.CREATE_FIRST),
  /** The server has no such open transaction: it has ended, or the server began again. */
  NO_SUCH_TRANSACTION(Remedy.BEGIN_AGAIN),
  /** A condition of a script does not hold; nothing was written. */
  CONDITION_FAILED(Remedy.READ_THE_TEXT),

  /** Another transaction wrote first. */
  CONFLICT(Remedy.BEGIN_AGAIN),
  /** The table was dropped and created again since. */
  TABLE_REPLACED(Remedy.BEGIN_AGAIN),
  /** A tuple has a newer version than the one that was to be replaced. */
  OBSOLETE_VERSION(Remedy.BEGIN_AGAIN),
  /** A tuple has several values that no resolver has reduced to one. */
  SIBLINGS(Remedy.BEGIN_AGAIN),
  /** A unique index has the value already. */
  DUPLICATE_VALUE(Remedy.READ_THE_TEXT),
  /** A pin of this name exists, at another timestamp. */
  PIN_EXISTS(Remedy.READ_THE_TEXT),
  /** The name is in use for something else. */
  NAME_TAKEN(Remedy.READ_THE_TEXT),
  /** Keys did not join a group. */
  NOT_JOINED(Remedy.READ_THE_TEXT),
  /** A group refused. */
  GROUP(Remedy.READ_THE_TEXT),
  /** A job refused. */
  JOB(Remedy.READ_THE_TEXT),
  /** A change feed refused. */
  CHANGES(Remedy.READ_THE_TEXT),
  /** A backup cannot be made, or cannot be restored. */
  BACKUP(Remedy.READ_THE_TEXT),
  /** A version of a served store is refused. */
  VERSION_REFUSED(Remedy.READ_THE_TEXT),
  /** An import into a read-write store refused. */
  IMPORT_REFUSED(Remedy.READ_THE_TEXT),
  /** A key came more than once, and a build was to fail then. */
  DUPLICATE_KEY(Remedy.READ_THE_TEXT),
  /** A version of a served store would have fewer keys than it must have. */
  TOO_FEW_KEYS(Remedy.READ_THE_TEXT),
  /** A server refused, for a reason that only servers have. */
  REFUSED(Remedy.READ_THE_TEXT),
  /** A push, an import or a rebalancing did not come to its end. */
  NOT_FINISHED(Remedy.READ_THE_TEXT),

  /** The snapshot or the transaction is older than what is kept. */
  SNAPSHOT_TOO_OLD(Remedy.USE_NEWER),
  /** The transaction lasted longer than allowed. */
  TRANSACTION_EXPIRED(Remedy.USE_NEWER),
  /** The version of a served store was deleted. */
  VERSION_GONE(Remedy.USE_NEWER),

  /** This node does not hold the key. */
  WRONG_NODE(Remedy.ASK_ANOTHER_NODE),

  /** A key group owns the row. */
  HELD_BY_GROUP(Remedy.USE_THE_HOLDER),
  /** The store takes no writes while an import replaces its tuples. */
  WRITES_REFUSED(Remedy.USE_THE_HOLDER),

  /** Another process has the store, or the node's folder, open. */
  LOCKED(Remedy.TRY_LATER),
  /** The store, the oracle, a node or another transaction did not answer in time. */
  UNAVAILABLE(Remedy.TRY_LATER),
  /** No version of the served store is live. */
  NOTHING_LIVE(Remedy.TRY_LATER),
  /** The node has missed a push, and answers no reads of the store until it has caught up. */
  STORE_BEHIND(Remedy.TRY_LATER),
  /** A version could not be fetched. */
  FETCH_FAILED(Remedy.TRY_LATER),
  /** There is too much to do. */
  BUSY(Remedy.TRY_LATER),
  /** A node still works on writes of the store; the next step of an import waits for them. */
  IMPORT_BUSY(Remedy.TRY_LATER),
  /** A replica that lost its disk takes its tuples from the others first. */
  REFILLING(Remedy.TRY_LATER),

  /** The store refused: a full disk, a wrong use. */
  STORE(Remedy.LOOK_AFTER_THE_STORE),
  /** A file or a cell is damaged. */
  DAMAGED(Remedy.RESTORE),

  /** The operation was carried out or not; the outcome is not known yet. */
  OUTCOME_UNKNOWN(Remedy.ASK_FOR_THE_OUTCOME),

  /** A defect of Braid. */
  DEFECT(Remedy.REPORT);

  /** The way to go on after a failure. */
  @API(status = API.Status.STABLE)
  public enum Remedy {
    /** Change the request: it fails again as it is. */
    CHANGE_REQUEST,
    /** Ask for less at a time. */
    ASK_FOR_LESS,
    /** Create it first, or name another. */
    CREATE_FIRST,
    /** Begin again, from newer data. */
    BEGIN_AGAIN,
    /** Do what the text says. */
    READ_THE_TEXT,
    /** Use a newer snapshot, transaction or version. */
    USE_NEWER,
    /** Ask another node. */
    ASK_ANOTHER_NODE,
    /** Go through the holder, or wait for its end. */
    USE_THE_HOLDER,
    /** Try again later. */
    TRY_LATER,
    /** Make the store well, as the text says, then try again. */
    LOOK_AFTER_THE_STORE,
    /** Restore what is damaged. */
    RESTORE,
    /** Ask for the outcome before anything is repeated. */
    ASK_FOR_THE_OUTCOME,
    /** Report the defect. */
    REPORT
  }

  private final Remedy remedy;

  ErrorCode(Remedy remedy) {
    this.remedy = remedy;
  }

  /** Returns the way to go on. */
  public Remedy remedy() {
    return remedy;
  }

  /**
   * Returns the code of a word, as {@code held by group} or {@code HELD_BY_GROUP}; empty if none.
   */
  public static Optional<ErrorCode> of(String word) {
    String name = word.toUpperCase(Locale.ROOT).replace(' ', '_');
    return Arrays.stream(values()).filter(each -> each.name().equals(name)).findFirst();
  }

  /** Returns the code in words, as {@code held by group}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
