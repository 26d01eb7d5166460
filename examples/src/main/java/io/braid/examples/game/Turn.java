package io.braid.examples.game;

import io.braid.core.data.Row;

/** A payment from one player to another. */
public record Turn(Row from, Row to, long chips) {}
