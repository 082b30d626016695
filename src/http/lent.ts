/** Memory for answers on their way out, used again when they have left. */
import type { Joined } from '../message.ts';

const size = 64 * 1024;
/** As much is kept for the next ones: four megabytes. */
const most = 64;

const free: Buffer[] = [];

/** The bytes to send, and what to call when they were sent. Who never does only leaves more to collect. */
export function lent(answer: Joined): { bytes: Uint8Array; giveBack: () => void } {
  if (answer.length > size) return { bytes: answer.whole(), giveBack: () => {} };
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(size);
  answer.copyTo(buffer);
  return {
    bytes: buffer.subarray(0, answer.length),
    giveBack: () => {
      if (free.length < most) free.push(buffer);
    },
  };
}
