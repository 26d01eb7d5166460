/**
 * A node over the network: {@link io.braid.serving.net.NodeService} is what it does, {@link
 * io.braid.serving.net.HttpFace} and {@link io.braid.serving.redis.RedisFace} are how it is asked,
 * {@link io.braid.serving.net.HttpNode} and {@code HttpSource} ask it.
 *
 * <p>What comes from a socket is bounded before memory is taken for it, and so are connections and
 * threads.
 */
@NullMarked
package io.braid.serving.net;

import org.jspecify.annotations.NullMarked;
