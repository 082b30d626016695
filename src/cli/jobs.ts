/** `duet jobs`: what waits, runs and has failed for good, and a way to try again. */
import { parseArgs } from 'node:util';
import { createJobDesk } from '../adapters/jobs/desk.ts';
import { OperatorError } from '../lib/operator-error.ts';
import type { FailedJob, QueueState } from '../ports/jobs.ts';
import { type DatabaseCommand, UsageError } from './command.ts';

const shownAtMost = 200;

export const jobs: DatabaseCommand = async ({ db, write }, args) => {
  const { values } = parseArgs({
    args: [...args],
    options: { failed: { type: 'boolean' }, retry: { type: 'string' }, drop: { type: 'string' } },
  });
  if (Object.keys(values).length > 1) throw new UsageError('One thing at a time.');
  const desk = createJobDesk(db);
  if (values.failed) write(failedList(await desk.failed(shownAtMost)));
  else if (values.retry !== undefined) {
    if (!(await desk.retry(values.retry))) throw noSuchJob(values.retry);
    write(`${values.retry} will be tried again.\n`);
  } else if (values.drop !== undefined) {
    if (!(await desk.drop(values.drop))) throw noSuchJob(values.drop);
    write(`${values.drop} is gone.\n`);
  } else write(stateTable(await desk.states()));
};

const noSuchJob = (id: string) =>
  new OperatorError(`No failed job has the id ${JSON.stringify(id)}. "duet jobs --failed" lists them.`);

function stateTable(states: readonly QueueState[]): string {
  const width = Math.max(5, ...states.map(({ queue }) => queue.length));
  const line = (queue: string, ...cells: (string | number)[]) =>
    `${queue.padEnd(width)}${cells.map((cell) => String(cell).padStart(12)).join('')}\n`;
  const rows = states.map((state) =>
    line(state.queue, state.waiting, state.running, state.failed, `${state.oldestSeconds} s`),
  );
  return line('queue', 'waiting', 'running', 'failed', 'oldest due') + rows.join('');
}

function failedList(failed: readonly FailedJob[]): string {
  if (failed.length === 0) return 'Nothing has failed for good.\n';
  const lines = failed.map(
    ({ id, queue, failedAt, tries, reason }) =>
      `${id}  ${new Date(failedAt * 1000).toISOString()}  ${queue}  after ${tries} tries: ${oneLine(reason)}\n`,
  );
  return lines.join('');
}

/** Reasons come from anywhere: they stay on one line and move no cursor. */
const oneLine = (text: string) => text.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300);
