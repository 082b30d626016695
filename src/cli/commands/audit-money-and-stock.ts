/** `duet audit`: verifies that payments, orders, stock and promo codes balance, by the database and the payment provider. */
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { streamConsistencyFindings } from '../../maintenance/consistency-audit.ts';
import { createDatabaseCommand } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

/** Progress is shown once per this many payment pages. */
const progressEvery = 100;

const parseAuditArgs = (args: readonly string[]) =>
  parseCommandArgs(args, { json: { type: 'boolean', default: false } }).values.json;

export const auditCommand = createDatabaseCommand(
  parseAuditArgs,
  async ({ config, db, write, progress }, json) => {
    const app = await createApp({ config, db, log: pino({ level: 'warn' }, pino.destination(2)) });
    let checkedSessions = 0;
    const discrepancies: { about: string; problem: string }[] = [];
    try {
      const count = () => {
        checkedSessions += 1;
        if (checkedSessions % progressEvery === 0) progress?.(`${checkedSessions} payment pages checked`);
      };
      for await (const { about, problem } of streamConsistencyFindings(app.services, count)) {
        discrepancies.push({ about, problem });
        if (!json) write(`${about}: ${problem}\n`);
      }
    } finally {
      await app.stop();
    }
    if (json) write(`${JSON.stringify({ checkedSessions, discrepancies })}\n`);
    if (discrepancies.length > 0) throw new OperatorError(`${discrepancies.length} discrepancies found.`);
    if (!json)
      write(`The books balance: ${checkedSessions} payment pages, all orders, stock and promo codes.\n`);
  },
  () => true,
);
