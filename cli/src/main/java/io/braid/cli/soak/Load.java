package io.braid.cli.soak;

/** A kind of work that is done over and over, by one thread. */
interface Load extends AutoCloseable {
  /** One word. */
  String name();

  /**
   * Does some of it; in seconds at most.
   *
   * @throws WrongException when something is not as it must be
   */
  void step() throws Exception;

  /**
   * Looks at all of it when nothing is done any more.
   *
   * @throws WrongException when something is not as it must be
   */
  void check() throws Exception;

  @Override
  default void close() throws Exception {}

  /** What no soak may find. */
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
}
