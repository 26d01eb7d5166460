/**
 * The {@code braid} command: {@link Main} runs it and lists the verbs, {@link VerbList} sorts them
 * by what people want. The verbs are in packages by their theme, such as {@link io.braid.cli.data}
 * for tables and rows; {@link io.braid.cli.command} has what they share.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
