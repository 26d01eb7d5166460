/** What client and region server say to each other, and how names and keys look in HBase. */
@NullMarked
package io.braid.store.hbase.wire;

import org.jspecify.annotations.NullMarked;
