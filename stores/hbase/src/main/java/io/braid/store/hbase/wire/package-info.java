/** The messages between client and region server, and the form of names and keys in HBase. */
@NullMarked
package io.braid.store.hbase.wire;

import org.jspecify.annotations.NullMarked;
