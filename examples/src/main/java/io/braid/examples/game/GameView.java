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

  /** No player could sit down: all invited players play elsewhere. */
  default void refused(int table, String why) {}

  /** Receives the totals in a snapshot from outside. */
  default void looked(Players.Totals totals, int groups) {}
}
