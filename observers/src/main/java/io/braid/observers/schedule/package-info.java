/**
 * Which row is visited when: the queue of rows, hints, pauses after failures, the sizes of batches.
 */
@NullMarked
package io.braid.observers.schedule;

import org.jspecify.annotations.NullMarked;
