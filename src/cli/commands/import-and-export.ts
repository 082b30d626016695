/** `duet import FILE` and `duet export FILE`: imports and exports records of a business on behalf of one of its members. */
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import type { Services } from '../../context.ts';
import { readExportParts } from '../../domains/bulk/files/find-export-file.ts';
import { maxImportFileBytes, storeImportFile } from '../../domains/bulk/files/receive-import-file.ts';
import {
  findStoredBulkOperation,
  listBulkErrors,
} from '../../domains/bulk/lifecycle/find-and-cancel-operations.ts';
import { createBulkRequesterContext } from '../../domains/bulk/lifecycle/requester-context.ts';
import { runBulkSlice } from '../../domains/bulk/lifecycle/run-operation.ts';
import { startExport, startImport } from '../../domains/bulk/lifecycle/start-operation.ts';
import {
  type BulkLineError,
  bulkFormats,
  bulkResources,
  finalBulkStates,
  type StoredBulkOperation,
} from '../../domains/bulk/model.ts';
import { AppError, type ErrorDetail } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type CommandContext, createDatabaseCommand, UsageError } from '../command-types-and-usage-error.ts';
import { parseCommandArgs } from '../parse-command-args.ts';

const bulkOptions = {
  business: { type: 'string', default: '' },
  resource: { type: 'string', default: '' },
  format: { type: 'string' },
  collection: { type: 'string' },
  as: { type: 'string', default: '' },
  json: { type: 'boolean', default: false },
} as const;

function parseBulkArgs(args: readonly string[]) {
  const { positionals, values } = parseCommandArgs(args, bulkOptions, ['FILE']);
  const [name = ''] = positionals;
  const missing = (['business', 'resource', 'as'] as const).filter((option) => values[option] === '');
  if (missing.length > 0)
    throw new UsageError(`Specify ${missing.map((option) => requiredOptions[option]).join(', and ')}.`);
  return {
    name,
    email: values.as,
    json: values.json,
    businessId: values.business,
    input: {
      resource: requireOneOf('--resource', bulkResources, values.resource),
      format: requireOneOf(
        '--format',
        bulkFormats,
        values.format ?? (name.endsWith('.csv') ? 'CSV' : 'JSONL'),
      ),
      collectionId: values.collection,
    },
  };
}

const requiredOptions = {
  business: '--business with the id of the business',
  resource: `--resource with one of ${bulkResources.join(', ').toLowerCase()}`,
  as: '--as with the email address of a member',
} as const;

function requireOneOf<Name extends string>(option: string, names: readonly Name[], value: string): Name {
  const match = names.find((name) => name === value.toUpperCase());
  if (match) return match;
  throw new UsageError(`${option} must be one of ${names.join(', ').toLowerCase()}.`);
}

export const importCommand = createDatabaseCommand(parseBulkArgs, async (context, args) => {
  const { name, email, json, ...request } = args;
  const file = resolve(context.cwd, name);
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isFile()) throw new OperatorError(`${file} cannot be read. Name a file.`);
  const { size } = stats;
  if (size === 0 || size > maxImportFileBytes)
    throw new OperatorError(`${file} must have 1 to ${maxImportFileBytes} bytes.`);
  await withServices(context, async (services) => {
    await requireBusiness(services, request.businessId);
    const ctx = await createBulkRequesterContext(services, await requireUserByEmail(services, email));
    const { id } = await startImport(ctx, { ...request, input: { ...request.input, content: undefined } });
    const operation = await requireBulkOperation(services, id);
    await storeImportFile(services, operation, file, size);
    const { state, done, failed, reason } = await runToCompletion(context, services, id);
    const errors = (await listBulkErrors(ctx, { ...request, id, ...firstPage })).nodes;
    if (json) context.write(`${JSON.stringify({ id, state, imported: done, rejected: failed, errors })}\n`);
    else {
      context.write(errors.map(formatBulkError).join(''));
      if (failed > errors.length) context.write(`… and ${failed - errors.length} more rejected lines\n`);
    }
    if (state !== 'COMPLETED') throw new OperatorError(`The import ended as ${state}. ${reason ?? ''}`);
    const summary = `${formatCount(done, 'line')} imported, ${failed} rejected.`;
    if (failed > 0) throw new OperatorError(summary);
    if (!json) context.write(`${summary}\n`);
  });
});

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const formatBulkError = ({ line, code, details, message }: BulkLineError): string =>
  `line ${line}: ${code}: ${details.map(formatErrorDetail).join(' ') || message}\n`;

const formatErrorDetail = ({ field, error, message }: ErrorDetail): string =>
  `${[field, error].filter(Boolean).join(' ')}: ${message}`;

/** The first rejected lines are printed. */
const firstPage = { first: 100, after: undefined, last: undefined, before: undefined };

export const exportCommand = createDatabaseCommand(parseBulkArgs, async (context, args) => {
  const { name, email, json, ...request } = args;
  const file = resolve(context.cwd, name);
  await withNewFile(file, (target) =>
    withServices(context, async (services) => {
      await requireBusiness(services, request.businessId);
      const ctx = await createBulkRequesterContext(services, await requireUserByEmail(services, email));
      const { id } = await startExport(ctx, request);
      const { state, done, reason, parts } = await runToCompletion(context, services, id);
      if (state !== 'COMPLETED') throw new OperatorError(`The export ended as ${state}. ${reason ?? ''}`);
      await pipeline(
        Readable.from(readExportParts(services, parts)),
        target.createWriteStream({ flush: true }),
      );
      context.write(
        json
          ? `${JSON.stringify({ id, records: done, file })}\n`
          : `${formatCount(done, 'record')} exported to ${file}.\n`,
      );
    }),
  );
});

/** Creates the file before the work, for its owner only, because exports contain personal data; deletes it when the work fails. */
async function withNewFile(file: string, run: (target: FileHandle) => Promise<void>): Promise<void> {
  const target = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST')
      throw new OperatorError(`${file} already exists. Name another file, or remove it.`);
    throw new OperatorError(
      `${file} cannot be written (${error.message}). Name a file in an existing folder.`,
    );
  });
  try {
    await run(target);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await target.close().catch(() => {});
  }
}

async function withServices(
  { config, db }: CommandContext,
  run: (services: Services) => Promise<void>,
): Promise<void> {
  const app = await createApp({ config, db, log: pino({ level: 'warn' }, pino.destination(2)) });
  try {
    await run(app.services);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new OperatorError(
      error.details.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join(' ') ||
        error.message,
    );
  } finally {
    await app.stop();
  }
}

async function requireBusiness({ db }: Services, id: string): Promise<void> {
  const business = isId(id) && (await db.prisma.business.findUnique({ where: { id }, select: { id: true } }));
  if (!business) throw new OperatorError(`There is no business with the id ${id}.`);
}

async function requireUserByEmail({ db }: Services, email: string) {
  const user = await db.prisma.user.findFirst({
    where: { email: { equals: email, mode: 'insensitive' } },
    select: { id: true },
  });
  if (!user) throw new OperatorError(`There is no user with the email ${email}.`);
  return { id: 'duet', userId: user.id, keyId: null };
}

async function requireBulkOperation({ db }: Services, id: string): Promise<StoredBulkOperation> {
  const operation = await findStoredBulkOperation(db, id);
  if (!operation) throw new OperatorError('The bulk operation was deleted.');
  return operation;
}

/** Runs the operation in this process. A gateway may work on it at the same time: each line is claimed by one of them. */
async function runToCompletion(
  { progress }: CommandContext,
  services: Services,
  id: string,
): Promise<StoredBulkOperation> {
  for (;;) {
    const isMore = await runBulkSlice(services, id);
    const operation = await requireBulkOperation(services, id);
    progress?.(`${operation.done} done, ${operation.failed} rejected`);
    if (finalBulkStates.includes(operation.state)) return operation;
    if (!isMore) await sleep(500);
  }
}
