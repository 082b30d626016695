/** `duet audit`: whether the books balance, from the database and the payment provider alone. */
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { auditConsistency as auditBooks } from '../../maintenance/consistency-audit.ts';
import type { DatabaseCommand } from '../command.ts';

export const auditCommand: DatabaseCommand = async ({ config, db, write }) => {
  const app = await createApp({ config, db, log: pino({ level: 'warn' }, pino.destination(2)) });
  let asked = 0;
  let found = 0;
  try {
    const count = () => {
      asked += 1;
    };
    for await (const { about, problem } of auditBooks(app.services, count)) {
      found += 1;
      write(`${about}: ${problem}\n`);
    }
  } finally {
    await app.stop();
  }
  if (found > 0) throw new OperatorError(`${found} things do not balance.`);
  write(`The books balance: ${asked} payment pages, all orders, stock and promo codes.\n`);
};
