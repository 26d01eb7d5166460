/**
 * The verbs that move many rows: loads and their jobs, exports, validation, change feeds and
 * migrations. {@link MappingOptions} says how records become rows. {@link JobScreen} shows a load.
 * Begin with {@link LoadCommand}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.loads;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
