/** `duet jobs`: the queues, and what has failed for good wherever it was, with another try. */
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createJobAdmin } from '../../adapters/jobs/admin.ts';
import { createApp } from '../../app.ts';
import type { Services } from '../../context.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import {
  dropFailureById,
  type Failure,
  listFailures,
  retryFailureById,
} from '../../maintenance/failed-work.ts';
import type { QueueState } from '../../ports/jobs.ts';
import { type CommandContext, type DatabaseCommand, UsageError } from '../command.ts';

/** Of each kind. */
const shownAtMost = 200;

export const jobsCommand: DatabaseCommand = async (desk, args) => {
  const { db, write } = desk;
  const { values } = parseArgs({
    args: [...args],
    options: { failed: { type: 'boolean' }, retry: { type: 'string' }, drop: { type: 'string' } },
  });
  if (Object.keys(values).length > 1) throw new UsageError('One thing at a time.');
  const { retry, drop } = values;
  if (values.failed) write(failureList(await listFailures(db, shownAtMost)));
  else if (retry !== undefined) {
    await change(desk, retry, retryFailureById);
    write(`${retry} will be tried again.\n`);
  } else if (drop !== undefined) {
    await change(desk, drop, dropFailureById);
    write(`${drop} is dropped.\n`);
  } else write(stateTable(await createJobAdmin(db).states()));
};

type Change = (services: Services, id: string) => Promise<boolean>;

/** Money and deliveries need more of the gateway than its database. */
async function change({ config, db }: CommandContext, id: string, act: Change): Promise<void> {
  const app = await createApp({ config, db, log: pino({ level: 'error' }, pino.destination(2)) });
  try {
    if (!(await act(app.services, id))) throw noSuchFailure(id);
  } finally {
    await app.stop();
  }
}

const noSuchFailure = (id: string) =>
  new OperatorError(
    `Nothing that has failed for good, and can be tried again, has the id ${JSON.stringify(id)}. "duet jobs --failed" lists it.`,
  );

function stateTable(states: readonly QueueState[]): string {
  const width = Math.max(5, ...states.map(({ queue }) => queue.length));
  const line = (queue: string, ...cells: (string | number)[]) =>
    `${queue.padEnd(width)}${cells.map((cell) => String(cell).padStart(12)).join('')}\n`;
  const rows = states.map((state) =>
    line(state.queue, state.waiting, state.running, state.failed, `${state.oldestSeconds} s`),
  );
  return line('queue', 'waiting', 'running', 'failed', 'oldest due') + rows.join('');
}

function failureList(failures: readonly Failure[]): string {
  if (failures.length === 0) return 'Nothing has failed for good.\n';
  const lines = failures.map(
    ({ kind, id, at, subject: what, reason }) =>
      `${oneLine(id)}  ${new Date(at * 1000).toISOString()}  ${kind}  ${oneLine(what)}: ${oneLine(reason)}\n`,
  );
  return lines.join('');
}

/** Reasons come from anywhere: they stay on one line and move no cursor. */
const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300);
