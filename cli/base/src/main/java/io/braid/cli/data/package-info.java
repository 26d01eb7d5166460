/**
 * The verbs that create tables, and read and write their rows and transactions. Begin with {@link
 * GetCommand}.
 */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.data;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
