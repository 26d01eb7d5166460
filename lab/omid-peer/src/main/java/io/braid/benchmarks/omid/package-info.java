/** Apache Omid as {@code braid bench hbase} measures it beside Braid; nothing of Braid is here. */
@NullMarked
package io.braid.benchmarks.omid;

import org.jspecify.annotations.NullMarked;
