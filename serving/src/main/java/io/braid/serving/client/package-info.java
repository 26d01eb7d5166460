/**
 * Reading from a cluster (Voldemort, section 3.1.2). A {@link io.braid.serving.client.StoreClient}
 * learns the ring from any node, asks for each key a node that holds it, the nearest first, and
 * another one when that fails. {@link io.braid.serving.client.NodeNetwork} is how it reaches them.
 */
@NullMarked
package io.braid.serving.client;

import org.jspecify.annotations.NullMarked;
