/** Pool of 64 KB buffers for response bodies. A buffer returns to the pool when its response has been sent. */
import type { SegmentedBody } from '../../http-message.ts';
import { HiddenProperty } from '../../lib/cache/hidden-property.ts';

const bufferSize = 64 * 1024;
/** Free buffers that the pool retains: 4 MB. */
const maxFreeBuffers = 64;

const freeBuffers: Buffer[] = [];

interface PooledBuffer {
  readonly bytes: Uint8Array;
  /** Number of responses that are still being sent from this buffer. */
  users: number;
  release(): void;
}

/** Buffers in use, by body. Concurrent responses with the same body share one buffer. */
const buffersInUse = new HiddenProperty<SegmentedBody, PooledBuffer | undefined>();

/** Returns the bytes to send and `release`, to be called after sending. A buffer that is never released is garbage collected. */
export function acquireFilledResponseBuffer(body: SegmentedBody): Pick<PooledBuffer, 'bytes' | 'release'> {
  const pooledBuffer = buffersInUse.get(body) ?? fillBuffer(body);
  pooledBuffer.users += 1;
  return pooledBuffer;
}

function fillBuffer(body: SegmentedBody): PooledBuffer {
  const buffer =
    body.length > bufferSize ? body.toBuffer() : (freeBuffers.pop() ?? Buffer.allocUnsafeSlow(bufferSize));
  if (body.length <= bufferSize) body.copyTo(buffer);
  const pooledBuffer = {
    bytes: buffer.subarray(0, body.length),
    users: 0,
    release() {
      pooledBuffer.users -= 1;
      if (pooledBuffer.users > 0) return;
      buffersInUse.set(body, undefined);
      if (buffer.length === bufferSize && freeBuffers.length < maxFreeBuffers) freeBuffers.push(buffer);
    },
  };
  buffersInUse.set(body, pooledBuffer);
  return pooledBuffer;
}
