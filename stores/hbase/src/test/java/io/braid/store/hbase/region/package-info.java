@NullMarked
package io.braid.store.hbase.region;

import org.jspecify.annotations.NullMarked;
