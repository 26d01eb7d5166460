/**
 * Apache Omid as {@code braid bench hbase} measures it beside Braid. This module contains nothing
 * of Braid.
 */
@NullMarked
package io.braid.benchmarks.omid;

import org.jspecify.annotations.NullMarked;
