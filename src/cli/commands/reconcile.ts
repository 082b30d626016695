/** `duet reconcile`: compares open payments with the payment provider, and repairs differences caused by missed events. */
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import { reconcilePayments } from '../../domains/payments/reconcile/reconcile-payments.ts';
import { createDatabaseCommand } from '../command-types.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

/** Progress is printed once per this many payments. */
const progressEvery = 100;

const parseReconcileArgs = (args: readonly string[]) =>
  parseCommandArgs(args, { 'dry-run': { type: 'boolean', default: false } }).values['dry-run'];

export const reconcileCommand = createDatabaseCommand(parseReconcileArgs, async (context, dryRun) => {
  const { config, db, write } = context;
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
});
