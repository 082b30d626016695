/** `duet reconcile`: asks the payment provider about everything that is open, and repairs what its events did not tell. */
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import { reconcilePayments } from '../../domains/payments/reconcile/reconcile-payments.ts';
import type { DatabaseCommand } from '../command.ts';

/** Said now and then, so that somebody who waits knows that it goes on. */
const progressEvery = 100;

export const reconcileCommand: DatabaseCommand = async ({ config, db, write }, args) => {
  const { values } = parseArgs({ args: [...args], options: { 'dry-run': { type: 'boolean' } } });
  const dryRun = values['dry-run'] ?? false;
  const app = await createApp({ config, db, log: pino({ level: 'error' }, pino.destination(2)) });
  try {
    const {
      checked: asked,
      differences,
      unanswered,
    } = await reconcilePayments(app.services, {
      dryRun,
      eventGraceSeconds: 0,
      paymentGraceSeconds: 0,
      onDifference: ({ about, ours, theirs }) => write(`${about}: ${ours} here, ${theirs} at the provider\n`),
      onProgress: (done) => done % progressEvery === 0 && write(`${done} asked\n`),
    });
    const repaired = dryRun ? 'nothing was changed' : 'repaired';
    write(`${asked} asked, ${differences} differed (${repaired}), ${unanswered} without an answer.\n`);
  } finally {
    await app.stop();
  }
};
