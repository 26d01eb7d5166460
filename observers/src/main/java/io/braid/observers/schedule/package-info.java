/**
 * Which row is visited when: the queue of rows, hints, pauses after failures, the sizes of batches.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.observers.schedule;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
