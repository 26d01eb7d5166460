@NullMarked
package io.braid.store.hbase;

import org.jspecify.annotations.NullMarked;
