/**
 * Braid under YCSB (Cooper et al., SoCC 2010), the common benchmark of key-value stores. The
 * package has a binding for YCSB's own client, and a command that runs its core workloads.
 */
@NullMarked
package io.braid.benchmarks.ycsb;

import org.jspecify.annotations.NullMarked;
