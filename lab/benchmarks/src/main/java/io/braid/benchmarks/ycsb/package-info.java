/**
 * Braid under YCSB (Cooper et al., SoCC 2010), the benchmark that key-value stores are compared by:
 * a binding for its own client, and a command that runs its core workloads.
 */
@NullMarked
package io.braid.benchmarks.ycsb;

import org.jspecify.annotations.NullMarked;
