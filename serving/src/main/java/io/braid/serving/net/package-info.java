/**
 * A node over the network: {@link io.braid.serving.net.NodeService} is what it does, {@link
 * io.braid.serving.net.HttpNodeServer} and {@link io.braid.serving.redis.RedisServer} are how it is
 * asked, {@link io.braid.serving.net.HttpNode} and {@code HttpSource} ask it.
 *
 * <p>What comes from a socket is bounded before memory is taken for it, and so are connections and
 * threads.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.serving.net;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
