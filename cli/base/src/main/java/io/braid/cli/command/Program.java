package io.braid.cli.command;

import picocli.CommandLine.Model.CommandSpec;

/** The program that runs a verb: its main classes, for verbs that start processes of their own. */
public interface Program {
  /** Returns the program that runs a verb. */
  static Program of(CommandSpec verb) {
    return (Program) verb.root().userObject();
  }

  /** Returns the class whose main method runs a verb. */
  Class<?> main();

  /**
   * Returns the class whose main method does the same, in a process that ends when its standard
   * input ends.
   */
  Class<?> watched();
}
