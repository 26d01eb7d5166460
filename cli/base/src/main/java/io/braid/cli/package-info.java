/**
 * The {@code braid} command. Each verb is a class of its own; {@link io.braid.cli.Main} lists them,
 * {@link io.braid.cli.ExitCode} says how they end, {@link io.braid.cli.DatabaseOptions} are the
 * options of all that open a database.
 */
@NullMarked
package io.braid.cli;

import org.jspecify.annotations.NullMarked;
