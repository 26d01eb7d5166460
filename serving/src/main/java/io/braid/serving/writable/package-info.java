/**
 * Read-write stores (Voldemort, sections 3.1.1 to 3.1.5). Every tuple carries a {@link
 * io.braid.serving.writable.VectorClock}. So versions that know nothing of each other are kept side
 * by side as siblings, until a client that has seen both writes again. {@link
 * io.braid.serving.writable.WritableStore} asks as many replicas as the store requires, repairs
 * those that lack something, and leaves hints for those that were down. {@link
 * io.braid.serving.writable.HintPusher} delivers the hints.
 */
@NullMarked
package io.braid.serving.writable;

import org.jspecify.annotations.NullMarked;
