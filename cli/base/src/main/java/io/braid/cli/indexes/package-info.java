/**
 * The verbs for indexes: those of tables, and the web index of the demonstration. Begin with {@link
 * IndexCommand}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.indexes;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
