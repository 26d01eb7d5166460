package io.braid.lab.model;

/** What a program may do. Each program is given a random part of it (swarm testing). */
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
