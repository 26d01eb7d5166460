package io.braid.examples.game;

import io.braid.groups.Group;

/** Looks on. Called by the threads of the tables. */
public interface GameView {
  GameView NONE = new GameView() {};

  /** Players have sat down. */
  default void formed(int table, Group group) {}

  /**
   * A turn was played and is durable.
   *
   * @param position of the group's history
   */
  default void played(int table, Group group, Turn turn, long position) {}

  /** A game is over: all is in the store, and the players are free. */
  default void parted(int table, String group) {}

  /** Nobody could sit down: all who were asked play elsewhere. */
  default void refused(int table, String why) {}

  /** What a snapshot from outside shows. */
  default void looked(Players.Books books, int groups) {}
}
