/** `duet audit`: verifies that payments, orders, stock and promo codes balance, by the database and the payment provider. */
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { streamConsistencyFindings } from '../../maintenance/consistency-audit.ts';
import { createDatabaseCommand } from '../command-types.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

const parseAuditArgs = (args: readonly string[]) => parseCommandArgs(args, {});

export const auditCommand = createDatabaseCommand(parseAuditArgs, async ({ config, db, write }) => {
  const app = await createApp({ config, db, log: pino({ level: 'warn' }, pino.destination(2)) });
  let checkedSessions = 0;
  let discrepancies = 0;
  try {
    const count = () => {
      checkedSessions += 1;
    };
    for await (const { about, problem } of streamConsistencyFindings(app.services, count)) {
      discrepancies += 1;
      write(`${about}: ${problem}\n`);
    }
  } finally {
    await app.stop();
  }
  if (discrepancies > 0) throw new OperatorError(`${discrepancies} discrepancies found.`);
  write(`The books balance: ${checkedSessions} payment pages, all orders, stock and promo codes.\n`);
});
