package io.braid.serving.imports;

/** A step that an importer asks of a node. Each may be repeated. */
public enum ImportStep {
  /** Take no new writes. */
  REFUSE,

  /** Deliver the hints that are kept for others. */
  DELIVER,

  /** Bring what is here to the other replicas that lack it. */
  AGREE,

  /** Take tuples: all nodes have agreed. */
  BEGIN,

  /** Take no tuples any more: all are at all nodes. */
  LOCK,

  /** Take writes again: all nodes are locked. */
  OPEN,

  /** Take no tuples any more: the import is given up. */
  END,

  /** Take writes again: all nodes know that, or none has begun to import. */
  GIVE_UP
}
