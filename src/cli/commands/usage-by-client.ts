/** `duet usage`: lists which client uses which operations, REST paths and fields, and how often. */
import {
  formatUsageClientLabel,
  readApiUsage,
  type UsageSummary,
} from '../../domains/usage/read-api-usage.ts';
import { defaultUsageDays, maxUsageDays } from '../../domains/usage/schemas.ts';
import { usageKinds } from '../../ports/usage.ts';
import { createDatabaseCommand, UsageError } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

/** Lines of the text table; JSON output has up to `maxRead` items. */
const maxListed = 500;
const maxRead = 200_000;

function parseUsageArgs(args: readonly string[]) {
  const { values } = parseCommandArgs(args, {
    days: { type: 'string', default: String(defaultUsageDays) },
    client: { type: 'string' },
    fields: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > maxUsageDays)
    throw new UsageError(`--days must be a whole number from 1 to ${maxUsageDays}.`);
  return { ...values, days };
}

export const usageCommand = createDatabaseCommand(parseUsageArgs, async ({ db, write }, values) => {
  const { days } = values;
  const kinds = usageKinds.filter((kind) => values.json || (kind === 'FIELD') === values.fields);
  const all = await readApiUsage(db, { days, kinds, limit: maxRead });
  const { client } = values;
  const summaries = all.filter(
    (summary) => client === undefined || [summary.client, formatUsageClientLabel(summary)].includes(client),
  );
  if (values.json) write(`${JSON.stringify({ days, items: summaries })}\n`);
  else write(summaries.length === 0 ? describeNoUsage(all, values) : formatTable(summaries));
});

function describeNoUsage(all: readonly UsageSummary[], { days, client }: { days: number; client?: string }) {
  const clients = [...new Set(all.map(formatUsageClientLabel))];
  if (client === undefined || clients.length === 0) return `No usage in the last ${days} days.\n`;
  return `No usage by ${client} in the last ${days} days. Clients: ${clients.slice(0, 20).join(', ')}.\n`;
}

function formatTable(summaries: readonly UsageSummary[]): string {
  const lines = [
    ['calls', 'last', 'client', 'uses'],
    ...summaries
      .slice(0, maxListed)
      .map((summary) => [
        summary.calls,
        formatDay(summary.lastAt),
        formatUsageClientLabel(summary),
        summary.name,
      ]),
  ].map((cells) => cells.map(String));
  const width = (column: number) => Math.max(...lines.map((cells) => (cells[column] ?? '').length));
  const [calls, last, client] = [width(0), width(1), width(2)];
  const omitted = summaries.length - maxListed;
  return (
    lines
      .map(
        ([a = '', b = '', c = '', d = '']) =>
          `${a.padStart(calls)}  ${b.padEnd(last)}  ${c.padEnd(client)}  ${d}\n`,
      )
      .join('') +
    (omitted > 0 ? `… and ${omitted} more: filter with --client, or list all with --json.\n` : '')
  );
}

const formatDay = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
