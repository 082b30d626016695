/** `duet reconcile`: compares open payments with the payment provider, and repairs differences caused by missed events. */
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import { reconcilePayments } from '../../domains/payments/reconcile/reconcile-payments.ts';
import type { DatabaseCommand } from '../command-types.ts';

/** Progress is printed once per this many payments. */
const progressEvery = 100;

export const reconcileCommand: DatabaseCommand = async ({ config, db, write }, args) => {
  const { values } = parseArgs({ args: [...args], options: { 'dry-run': { type: 'boolean' } } });
  const dryRun = values['dry-run'] ?? false;
  const app = await createApp({ config, db, log: pino({ level: 'error' }, pino.destination(2)) });
  try {
    const { checked, differences, unanswered } = await reconcilePayments(app.services, {
      dryRun,
      eventGraceSeconds: 0,
      paymentGraceSeconds: 0,
      onDifference: ({ about, ours, theirs }) => write(`${about}: ${ours} here, ${theirs} at the provider\n`),
      onProgress: (done) => done % progressEvery === 0 && write(`${done} checked\n`),
    });
    const repaired = dryRun ? 'nothing was changed' : 'repaired';
    write(`${checked} checked, ${differences} differed (${repaired}), ${unanswered} without a response.\n`);
  } finally {
    await app.stop();
  }
};
