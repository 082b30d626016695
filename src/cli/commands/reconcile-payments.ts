/** `duet reconcile`: compares open payments with the payment provider, and repairs differences caused by missed events. */
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import {
  auditedSessionDays,
  reconcileUnrecordedSessions,
} from '../../domains/payments/reconcile/find-and-record-unrecorded-sessions.ts';
import { reconcilePayments } from '../../domains/payments/reconcile/reconcile-payments.ts';
import type { PaymentDifference } from '../../domains/payments/reconcile/reconcile-with-provider.ts';
import { type CommandContext, createDatabaseCommand, UsageError } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

/** Progress is shown once per this many payments. */
const progressEvery = 100;
const maxDays = 365;

function parseReconcileArgs(args: readonly string[]) {
  const { values } = parseCommandArgs(args, {
    'dry-run': { type: 'boolean', default: false },
    days: { type: 'string', default: String(auditedSessionDays) },
    json: { type: 'boolean', default: false },
  });
  const days = Number(values.days);
  if (!/^\d+$/.test(values.days) || days < 1 || days > maxDays)
    throw new UsageError(`--days must be a whole number from 1 to ${maxDays}.`);
  return { dryRun: values['dry-run'], json: values.json, days };
}

async function reconcile(
  context: CommandContext,
  values: ReturnType<typeof parseReconcileArgs>,
): Promise<void> {
  const { config, db, write, progress } = context;
  const { dryRun, json, days } = values;
  const differing: object[] = [];
  const app = await createApp({ config, db, log: pino({ level: 'error' }, pino.destination(2)) });
  try {
    const onDifference = ({ about, ours, theirs }: PaymentDifference) => {
      if (json) differing.push({ about, ours, theirs });
      else write(`${about}: ${ours} here, ${theirs} at the provider\n`);
    };
    const result = await reconcilePayments(app.services, {
      dryRun,
      eventGraceSeconds: 0,
      paymentGraceSeconds: 0,
      onDifference,
      onProgress: (done) => {
        if (done % progressEvery === 0) progress?.(`${done} checked`);
      },
    });
    const unrecorded = await reconcileUnrecordedSessions(app.services, { days, dryRun, onDifference });
    const { checked, unanswered } = result;
    const differences = result.differences + unrecorded.differences;
    if (json) {
      write(`${JSON.stringify({ dryRun, checked, unanswered, differences: differing })}\n`);
      return;
    }
    const repaired = dryRun ? 'nothing was changed' : 'repaired';
    write(`${checked} checked, ${differences} differed (${repaired}), ${unanswered} without a response.\n`);
  } finally {
    await app.stop();
  }
}

export const reconcileCommand = createDatabaseCommand(parseReconcileArgs, reconcile, () => true);
