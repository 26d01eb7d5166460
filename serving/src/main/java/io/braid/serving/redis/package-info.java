/**
 * Reads of stores for clients that speak the protocol of Redis (RESP), over TCP: {@link
 * io.braid.serving.redis.RedisServer}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.serving.redis;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
