package io.braid.examples.game;

import io.braid.core.data.Row;

/** Who paid whom how much. */
public record Turn(Row from, Row to, long chips) {}
