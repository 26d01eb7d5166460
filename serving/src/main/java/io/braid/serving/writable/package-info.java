/**
 * Read-write stores (Voldemort, sections 3.1.1 to 3.1.5): every tuple carries a {@link
 * io.braid.serving.writable.VectorClock}, so that versions that know nothing of each other are kept
 * side by side as siblings until somebody who has seen both writes again. {@link
 * io.braid.serving.writable.WritableStore} asks so many replicas as the store requires, repairs
 * those that lack something, and leaves hints for those that were down; {@link
 * io.braid.serving.writable.HintPusher} delivers them.
 */
@NullMarked
package io.braid.serving.writable;

import org.jspecify.annotations.NullMarked;
