package io.braid.lab.model;

/** A feature that a program may use. Each program gets a random subset (swarm testing). */
enum Feature {
  TRANSACTION,
  LOCK,
  FAST,
  NAMED_WRITE,
  TIME_TRAVEL,
  GROUP,
  INDEX,
  UNIQUE,
  LOCAL_INDEX,
  DROP,
  SWITCH,
  COLLECTION,
  REOPEN,
  CRASH,
  LOAD,
  ATOMIC_LOAD,
  FILE_LOAD,
  FEED,
  BACKUP,
  RESTORE,
  OBSERVER,
  CLIENT,
  CLOCK,
  DISTURBANCE
}
