package io.braid.cli;

/** A verb from another package or artifact, found by {@link java.util.ServiceLoader}. */
public interface Verb {
  /** The command, as picocli takes it. */
  Object command();
}
