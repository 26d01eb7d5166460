/** The additional verbs of the {@code braid} command when HBase is on its class path. */
@NullMarked
package io.braid.cli.hbase;

import org.jspecify.annotations.NullMarked;
