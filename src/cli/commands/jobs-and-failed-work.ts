/** `duet jobs`: lists the queues and permanently failed work, and retries or drops it. */
import { pino } from 'pino';
import { createJobAdmin } from '../../adapters/jobs/job-admin.ts';
import { createApp } from '../../app.ts';
import type { Services } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import {
  dropFailedWorkById,
  type FailedWorkItem,
  listFailedWork,
  retryFailedWorkById,
} from '../../maintenance/failed-work.ts';
import type { QueueState } from '../../ports/jobs.ts';
import { type CommandContext, createDatabaseCommand, UsageError } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

/** Per kind of failure. */
const maxListed = 200;

function parseJobsArgs(args: readonly string[]) {
  const { values } = parseCommandArgs(args, {
    failed: { type: 'boolean' },
    retry: { type: 'string' },
    drop: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const { json, ...actions } = values;
  if (Object.keys(actions).length > 1) throw new UsageError('Use only one of --failed, --retry, --drop.');
  if (json && (actions.retry ?? actions.drop) !== undefined)
    throw new UsageError('--json is for lists: use it alone or with --failed.');
  return values;
}

export const jobsCommand = createDatabaseCommand(
  parseJobsArgs,
  async (context, { failed, retry, drop, json }) => {
    const { db, write } = context;
    const writeItems = <Item>(items: Item[], format: (items: Item[]) => string) =>
      write(json ? `${JSON.stringify({ items })}\n` : format(items));
    if (failed) writeItems(await listFailedWork(db, maxListed), formatFailures);
    else if (retry !== undefined) {
      await changeFailure(context, retry, retryFailedWorkById);
      write(`${retry} is queued for a retry.\n`);
    } else if (drop !== undefined) {
      await changeFailure(context, drop, dropFailedWorkById);
      write(`${drop} was dropped.\n`);
    } else writeItems(await createJobAdmin(db).states(), formatStates);
  },
  ({ retry, drop }) => (retry ?? drop) !== undefined,
);

type ChangeById = (services: Services, id: string) => Promise<boolean>;

/** Refunds, payments and deliveries need the services of the gateway, not only its database. */
async function changeFailure(
  { config, db }: CommandContext,
  id: string,
  changeById: ChangeById,
): Promise<void> {
  const app = await createApp({ config, db, log: pino({ level: 'error' }, pino.destination(2)) });
  try {
    if (!(await changeById(app.services, id).catch(throwRejection))) throw failureNotFoundError(id);
  } finally {
    await app.stop();
  }
}

/** A refund whose amount or units were refunded since is not retried. */
function throwRejection(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw new OperatorError(error.details.map(({ message }) => message).join(' ') || error.message);
}

const failureNotFoundError = (id: string) =>
  new OperatorError(
    `No permanently failed work has the id ${JSON.stringify(id)}. List the ids with "duet jobs --failed".`,
  );

function formatStates(states: readonly QueueState[]): string {
  const width = Math.max(5, ...states.map(({ queue }) => queue.length));
  const line = (queue: string, ...cells: (string | number)[]) =>
    `${queue.padEnd(width)}${cells.map((cell) => String(cell).padStart(12)).join('')}\n`;
  const rows = states.map((state) =>
    line(state.queue, state.waiting, state.running, state.failed, `${state.oldestSeconds} s`),
  );
  return line('queue', 'waiting', 'running', 'failed', 'oldest due') + rows.join('');
}

function formatFailures(failures: readonly FailedWorkItem[]): string {
  if (failures.length === 0) return 'Nothing has failed permanently.\n';
  const lines = failures.map(
    ({ kind, id, at, subject, reason }) =>
      `${oneLine(id)}  ${new Date(at * 1000).toISOString()}  ${kind}  ${oneLine(subject)}: ${oneLine(reason)}\n`,
  );
  return lines.join('');
}

/** Reasons contain external text: control characters, such as terminal escapes, are removed. */
const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300);
