/** Memory for answers on their way out, used again when they have left. */

import type { SegmentedBody } from '../../http-message.ts';
import { HiddenProperty } from '../../lib/cache/hidden-property.ts';

const size = 64 * 1024;
/** As much is kept for the next ones: four megabytes. */
const most = 64;

const free: Buffer[] = [];

interface Loan {
  readonly bytes: Uint8Array;
  /** How many answers it is still needed for. */
  users: number;
  giveBack(): void;
}

/** Answers that are on their way: who is given the same one is sent the same bytes. */
const loans = new HiddenProperty<SegmentedBody, Loan | undefined>();

/** The bytes to send, and what to call when they were sent. Who never does only leaves more to collect. */
export function acquireResponseBuffer(answer: SegmentedBody): Pick<Loan, 'bytes' | 'giveBack'> {
  const loan = loans.get(answer) ?? newLoan(answer);
  loan.users += 1;
  return loan;
}

function newLoan(answer: SegmentedBody): Loan {
  const buffer = answer.length > size ? answer.toBuffer() : (free.pop() ?? Buffer.allocUnsafeSlow(size));
  if (answer.length <= size) answer.copyTo(buffer);
  const loan = {
    bytes: buffer.subarray(0, answer.length),
    users: 0,
    giveBack() {
      loan.users -= 1;
      if (loan.users > 0) return;
      loans.set(answer, undefined);
      if (buffer.length === size && free.length < most) free.push(buffer);
    },
  };
  loans.set(answer, loan);
  return loan;
}
