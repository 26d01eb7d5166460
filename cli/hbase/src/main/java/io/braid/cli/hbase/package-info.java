/** What the {@code braid} command can do beside when HBase is on its class path. */
@NullMarked
package io.braid.cli.hbase;

import org.jspecify.annotations.NullMarked;
