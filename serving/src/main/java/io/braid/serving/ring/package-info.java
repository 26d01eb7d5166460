/**
 * The ring: which nodes hold which keys (Voldemort, section 3.1.2). {@link
 * io.braid.serving.ring.Ring} is cut into equal partitions, each owned by a node; {@link
 * io.braid.serving.ring.Routing} lists, for a partition, those that hold its replicas.
 */
@NullMarked
package io.braid.serving.ring;

import org.jspecify.annotations.NullMarked;
