/**
 * The verbs for a server: {@link ServerCommand} runs it, {@link TopCommand} watches it, {@link
 * TokenCommand} makes tokens for its clients.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.server;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
