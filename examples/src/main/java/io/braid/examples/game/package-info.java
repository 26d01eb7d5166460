/**
 * A game for many players (G-Store, section 6.1): players sit down at tables, turns move chips
 * between them, and they part again. Each table is a key group of its players' rows.
 */
@NullMarked
package io.braid.examples.game;

import org.jspecify.annotations.NullMarked;
