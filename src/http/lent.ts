/** Memory for answers on their way out, used again when they have left. */
import { Beside } from '../lib/beside.ts';
import type { Joined } from '../message.ts';

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
const loans = new Beside<Joined, Loan | undefined>();

/** The bytes to send, and what to call when they were sent. Who never does only leaves more to collect. */
export function lent(answer: Joined): Pick<Loan, 'bytes' | 'giveBack'> {
  const loan = loans.get(answer) ?? newLoan(answer);
  loan.users += 1;
  return loan;
}

function newLoan(answer: Joined): Loan {
  const buffer = answer.length > size ? answer.whole() : (free.pop() ?? Buffer.allocUnsafeSlow(size));
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
