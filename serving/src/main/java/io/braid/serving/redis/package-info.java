/**
 * Reads of stores for clients that speak the protocol of Redis (RESP), over TCP: {@link
 * io.braid.serving.redis.RedisFace}.
 */
@NullMarked
package io.braid.serving.redis;

import org.jspecify.annotations.NullMarked;
