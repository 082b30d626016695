/** `duet reconcile`: compares open payments with the payment provider, and repairs differences caused by missed events. */
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import { reconcilePayments } from '../../domains/payments/reconcile/reconcile-payments.ts';
import { createDatabaseCommand } from '../command-types.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

/** Progress is shown once per this many payments. */
const progressEvery = 100;

const parseReconcileArgs = (args: readonly string[]) =>
  parseCommandArgs(args, {
    'dry-run': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  }).values;

export const reconcileCommand = createDatabaseCommand(parseReconcileArgs, async (context, values) => {
  const { config, db, write, progress } = context;
  const { 'dry-run': dryRun, json } = values;
  const differing: object[] = [];
  const app = await createApp({ config, db, log: pino({ level: 'error' }, pino.destination(2)) });
  try {
    const { checked, differences, unanswered } = await reconcilePayments(app.services, {
      dryRun,
      eventGraceSeconds: 0,
      paymentGraceSeconds: 0,
      onDifference: ({ about, ours, theirs }) => {
        if (json) differing.push({ about, ours, theirs });
        else write(`${about}: ${ours} here, ${theirs} at the provider\n`);
      },
      onProgress: (done) => {
        if (done % progressEvery === 0) progress?.(`${done} checked`);
      },
    });
    if (json) {
      write(`${JSON.stringify({ dryRun, checked, unanswered, differences: differing })}\n`);
      return;
    }
    const repaired = dryRun ? 'nothing was changed' : 'repaired';
    write(`${checked} checked, ${differences} differed (${repaired}), ${unanswered} without a response.\n`);
  } finally {
    await app.stop();
  }
});
