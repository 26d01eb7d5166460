/** The additional verbs of the {@code braid} command when HBase is on its class path. */
@API(status = API.Status.INTERNAL)
@NullMarked
package io.braid.cli.hbase;

import org.apiguardian.api.API;
import org.jspecify.annotations.NullMarked;
