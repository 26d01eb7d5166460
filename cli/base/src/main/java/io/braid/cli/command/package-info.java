/**
 * The common parts of the verbs. A verb reads a database through {@link DatabaseOptions}, prints
 * its result through {@link OutputOptions}, and shows its {@link Progress}. {@link UsageException}
 * refuses a command, {@link Failures} describes a failure, and {@link ExitCode} says how a process
 * ends. Other modules add verbs as {@link Verb}. Begin with {@link OutputOptions}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.command;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
