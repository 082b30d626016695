/** `duet import FILE` and `duet export FILE`: lists of a business as files, in the name of one of its members. */
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createApp } from '../../app.ts';
import type { Services } from '../../context.ts';
import { readExportParts } from '../../domains/bulk/files/export-file.ts';
import { maxImportFileBytes, storeImportFile } from '../../domains/bulk/files/receive-upload.ts';
import { findStoredBulkOperation, listBulkErrors } from '../../domains/bulk/lifecycle/find-operations.ts';
import { createRequesterContext } from '../../domains/bulk/lifecycle/requester-context.ts';
import { runBulkSlice } from '../../domains/bulk/lifecycle/run-operation.ts';
import { startExport, startImport } from '../../domains/bulk/lifecycle/start-operation.ts';
import {
  bulkFormats,
  bulkResources,
  finalBulkStates,
  type StoredBulkOperation,
} from '../../domains/bulk/model.ts';
import { AppError } from '../../errors.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { type CommandContext, type DatabaseCommand, UsageError } from '../command.ts';

function asked(args: readonly string[], cwd: string) {
  const { positionals, values } = parseArgs({
    args: [...args],
    options: {
      business: { type: 'string', default: '' },
      resource: { type: 'string', default: '' },
      format: { type: 'string' },
      collection: { type: 'string' },
      as: { type: 'string', default: '' },
    },
    allowPositionals: true,
  });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new UsageError('Name one file.');
  if (!values.business || !values.as) throw new UsageError('Say --business, and --as the email of a member.');
  return {
    file: resolve(cwd, name),
    email: values.as,
    businessId: values.business,
    input: {
      resource: oneOf('--resource', bulkResources, values.resource),
      format: oneOf('--format', bulkFormats, values.format ?? (name.endsWith('.csv') ? 'CSV' : 'JSONL')),
      collectionId: values.collection,
    },
  };
}

function oneOf<Name extends string>(option: string, names: readonly Name[], given: string): Name {
  const found = names.find((name) => name === given.toUpperCase());
  if (found) return found;
  throw new UsageError(`${option} is one of ${names.join(', ').toLowerCase()}.`);
}

export const importCommand: DatabaseCommand = async (desk, args) => {
  const { file, email, ...what } = asked(args, desk.cwd);
  const { size } = await stat(file).catch(() => {
    throw new OperatorError(`${file} cannot be read.`);
  });
  if (size === 0 || size > maxImportFileBytes)
    throw new OperatorError(`${file} must have 1 to ${maxImportFileBytes} bytes.`);
  await inApp(desk, async (services) => {
    const ctx = await createRequesterContext(services, await memberNamed(services, email));
    const { id } = await startImport(ctx, { ...what, input: { ...what.input, content: undefined } });
    const waiting = await stored(services, id);
    await storeImportFile(services, waiting, file, size);
    const { state, done, failed, reason } = await followed(desk, services, id);
    for (const { line, code, details, message } of (await listBulkErrors(ctx, { ...what, id, ...firstPage }))
      .nodes)
      desk.write(
        `line ${line}: ${code}: ${details.map((one) => `${one.field} ${one.error}`).join(', ') || message}\n`,
      );
    if (state !== 'COMPLETED') throw new OperatorError(`The import ended as ${state}. ${reason ?? ''}`);
    desk.write(`${done} lines imported, ${failed} refused.\n`);
  });
};

const firstPage = { first: 100, after: undefined, last: undefined, before: undefined };

export const exportCommand: DatabaseCommand = async (desk, args) => {
  const { file, email, ...what } = asked(args, desk.cwd);
  await inApp(desk, async (services) => {
    const ctx = await createRequesterContext(services, await memberNamed(services, email));
    const { id } = await startExport(ctx, what);
    const { state, done, reason, parts } = await followed(desk, services, id);
    if (state !== 'COMPLETED') throw new OperatorError(`The export ended as ${state}. ${reason ?? ''}`);
    const target = createWriteStream(file, { flags: 'wx' });
    await pipeline(Readable.from(readExportParts(services, parts)), target).catch(
      async (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw new OperatorError(`${file} is there already.`);
        await rm(file, { force: true });
        throw error;
      },
    );
    desk.write(`${done} records are in ${file}.\n`);
  });
};

async function inApp(
  { config, db }: CommandContext,
  run: (services: Services) => Promise<void>,
): Promise<void> {
  const app = await createApp({ config, db, log: pino({ level: 'warn' }, pino.destination(2)) });
  try {
    await run(app.services);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [detail] = error.details;
    throw new OperatorError(`${detail?.field ? `${detail.field}: ` : ''}${error.message}`);
  } finally {
    await app.stop();
  }
}

async function memberNamed({ db }: Services, email: string) {
  const user = await db.prisma.user.findFirst({
    where: { email: { equals: email, mode: 'insensitive' } },
    select: { id: true },
  });
  if (!user) throw new OperatorError(`Nobody is registered as ${email}.`);
  return { id: 'duet', userId: user.id, keyId: null };
}

async function stored({ db }: Services, id: string): Promise<StoredBulkOperation> {
  const found = await findStoredBulkOperation(db, id);
  if (!found) throw new OperatorError('The operation is gone.');
  return found;
}

/** Works on it itself; where a gateway does so too, whoever is first with a line does it. */
async function followed(
  { write }: CommandContext,
  services: Services,
  id: string,
): Promise<StoredBulkOperation> {
  for (;;) {
    const isMore = await runBulkSlice(services, id);
    const now = await stored(services, id);
    write(`${now.done} done, ${now.failed} refused\n`);
    if (finalBulkStates.includes(now.state)) return now;
    if (!isMore) await sleep(500);
  }
}
