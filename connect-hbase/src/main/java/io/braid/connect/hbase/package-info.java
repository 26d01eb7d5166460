/** {@code Braid.connect} for HBase. */
@NullMarked
package io.braid.connect.hbase;

import org.jspecify.annotations.NullMarked;
