package io.braid.observers;

import io.braid.core.data.Row;
import org.apiguardian.api.API;

/**
 * An observer that ran on a row more often than is allowed, perhaps because it triggers itself, and
 * was held back.
 *
 * @param seconds how often it was held back until the next second
 * @param firstMillis when that was first, milliseconds since 1970
 * @param lastMillis when that was last
 */
@API(status = API.Status.STABLE)
public record RunLoop(String observer, Row row, long seconds, long firstMillis, long lastMillis) {}
