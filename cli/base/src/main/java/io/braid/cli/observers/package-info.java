/**
 * The verbs for observers: {@link ObserversCommand} shows and mends them, {@link WorkerCommand}
 * runs them.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.observers;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
