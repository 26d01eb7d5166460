/** Change feeds into topics of Apache Kafka, by its own client. */
@NullMarked
package io.braid.batch.kafka;

import org.jspecify.annotations.NullMarked;
