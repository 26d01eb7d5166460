package io.braid.serving.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.testkit.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Fault 50: what the checksum of a bucket notices. */
class BucketTest {
  private static final int BITS = 8 * Bucket.CHECKSUM;

  @Test
  void oneOrTwoFlippedBitsAlwaysChangeTheChecksum() {
    ByteBuffer bucket = bucket(Seeds.random(1));
    int right = Bucket.checksum(bucket, 0, 7);
    for (int one = 0; one < BITS; one++) {
      flip(bucket, one);
      assertThat(Bucket.checksum(bucket, 0, 7)).isNotEqualTo(right);
      for (int two = 0; two < one; two++) {
        flip(bucket, two);
        if (Bucket.checksum(bucket, 0, 7) == right) {
          throw new AssertionError("bits " + one + " and " + two + " together are not noticed");
        }
        flip(bucket, two);
      }
      flip(bucket, one);
    }
  }

  @Test
  void aBucketInThePlaceOfAnotherIsNoticed() {
    ByteBuffer bucket = bucket(Seeds.random(2));
    int right = Bucket.checksum(bucket, 0, 0);
    for (int other = 1; other < 1000; other++) {
      assertThat(Bucket.checksum(bucket, 0, other)).isNotEqualTo(right);
    }
  }

  private static ByteBuffer bucket(RandomGenerator random) {
    byte[] bytes = new byte[Bucket.BYTES];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void flip(ByteBuffer bytes, int bit) {
    bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ 1 << bit % 8));
  }
}
