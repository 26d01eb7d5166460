/**
 * Tools for tests of stores and protocols, also for projects that build on Braid.
 *
 * <ul>
 *   <li>{@link io.braid.testkit.MemoryStore}: a store in memory that obeys every law of the store
 *       contract, and dies on request: a <em>restart</em> loses what no process keeps, a
 *       <em>crash</em> what was not synced.
 *   <li>{@link io.braid.testkit.contract.CellStoreContract}: those laws, as tests for any store.
 *   <li>{@link io.braid.testkit.hostile}: stores that lose, repeat, delay and reorder calls.
 *   <li>{@link io.braid.testkit.history}: what clients did and saw, and whether that is allowed.
 *   <li>{@link io.braid.testkit.runtime}: a clock that the test moves.
 *   <li>{@link io.braid.testkit.CellText}: cells as lines of text. {@link io.braid.testkit.Seeds}:
 *       tests at random that can be replayed.
 * </ul>
 */
@NullMarked
package io.braid.testkit;

import org.jspecify.annotations.NullMarked;
