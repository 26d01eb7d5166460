package io.braid.lab.soak;

/** A kind of work that is done over and over, by one thread. */
interface Load extends AutoCloseable {
  /** One word. */
  String name();

  /**
   * Does a part of the load; in seconds at most on a machine that is not overloaded. A step that
   * was refused or whose outcome is unknown ({@link Refusals#kind}) is followed by another call. So
   * the load must keep what it needs to know the possible content of the database.
   *
   * @throws WrongException when something is not as it must be
   * @throws NotDoneException when the step has to be continued
   */
  void step() throws Exception;

  /**
   * Looks at all of it when no step is done any more. Called again when it was refused.
   *
   * @throws WrongException when something is not as it must be
   * @throws NotDoneException when it is too early to look
   */
  void check() throws Exception;

  /** Returns a number that changes while a long step makes progress; called by another thread. */
  default long progress() {
    return 0;
  }

  @Override
  default void close() throws Exception {}

  /** A finding that no soak may make. */
  final class WrongException extends RuntimeException {
    private static final long serialVersionUID = 1;

    WrongException(String what) {
      super(what);
    }

    static void unless(boolean right, String what) {
      if (!right) {
        throw new WrongException(what);
      }
    }
  }

  /** The step is not done yet, and has to be continued after a pause. */
  final class NotDoneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotDoneException(String what) {
      super(what);
    }
  }
}
