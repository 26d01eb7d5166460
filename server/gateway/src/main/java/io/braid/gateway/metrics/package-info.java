/** What is counted and measured, under names that stay. */
@NullMarked
package io.braid.gateway.metrics;

import org.jspecify.annotations.NullMarked;
