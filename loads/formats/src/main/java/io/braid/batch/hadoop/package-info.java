/** Hadoop's file systems as places of inputs and outputs. */
@NullMarked
package io.braid.batch.hadoop;

import org.jspecify.annotations.NullMarked;
