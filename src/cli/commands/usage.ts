/** `duet usage`: which client uses which operations, REST paths and fields, and how often. */
import { parseArgs } from 'node:util';
import { formatClientLabel, readUsage, type UsageSummary } from '../../domains/usage/read-usage.ts';
import { defaultUsageDays, maxUsageDays } from '../../domains/usage/schemas.ts';
import { usageKinds } from '../../ports/usage.ts';
import { type DatabaseCommand, UsageError } from '../command.ts';

/** Lines for people; for programs there may be as many as are kept. */
const shownAtMost = 500;
const readAtMost = 200_000;

export const usageCommand: DatabaseCommand = async ({ db, write }, args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      days: { type: 'string', default: String(defaultUsageDays) },
      client: { type: 'string' },
      fields: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > maxUsageDays)
    throw new UsageError(`--days is a whole number from 1 to ${maxUsageDays}.`);
  const kinds = usageKinds.filter((kind) => values.json || (kind === 'FIELD') === values.fields);
  const all = await readUsage(db, { days, kinds, limit: readAtMost });
  const { client } = values;
  const used = all.filter(
    (one) => client === undefined || [one.client, formatClientLabel(one)].includes(client),
  );
  if (values.json) write(`${JSON.stringify({ days, items: used })}\n`);
  else write(used.length === 0 ? `Nobody was seen in ${days} days.\n` : table(used));
};

function table(used: readonly UsageSummary[]): string {
  const lines = [
    ['calls', 'last', 'client', 'uses'],
    ...used
      .slice(0, shownAtMost)
      .map((one) => [one.calls, dayOf(one.lastAt), formatClientLabel(one), one.name]),
  ].map((cells) => cells.map(String));
  const width = (column: number) => Math.max(...lines.map((cells) => (cells[column] ?? '').length));
  const [calls, last, client] = [width(0), width(1), width(2)];
  const left = used.length - shownAtMost;
  return (
    lines
      .map(
        ([a = '', b = '', c = '', d = '']) =>
          `${a.padStart(calls)}  ${b.padEnd(last)}  ${c.padEnd(client)}  ${d}\n`,
      )
      .join('') + (left > 0 ? `… and ${left} more: ask for one --client, or for all with --json.\n` : '')
  );
}

const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
