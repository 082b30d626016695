/** API keys: the list that is sent is the whole list, and a value that was masked stands for the one it hides. */
import { hashApiKey } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { type ErrorDetail, forbidden, invalid } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { ApiTokenInput } from './profile-checks.ts';
import { recordEvent } from './security-events.ts';

interface Stored {
  id: string;
  name: string;
}

/** Call under the lock of the user's row. */
export async function replaceApiTokens(
  ctx: Context,
  tx: Queries,
  userId: string,
  wanted: readonly ApiTokenInput[],
  isGuest: boolean,
): Promise<void> {
  // A key outlives the session that made it, and a guest has nothing else to prove who they are.
  if (isGuest && wanted.length > 0) throw forbidden('Guests cannot have API keys: register first.');
  const stored = await tx.prisma.apiToken.findMany({ where: { userId }, select: { id: true, name: true } });
  const known = new Map(stored.map((token) => [token.id, token]));
  refuseMissingValues(wanted, known);
  const kept = new Set(wanted.map(({ id }) => id));
  for (const token of stored) {
    if (!kept.has(token.id)) await revoke(ctx, tx, userId, token);
  }
  for (const [index, { id = newId(), name, value }] of wanted.entries()) {
    const current = known.get(id);
    if (value !== undefined) {
      if (current) await revoke(ctx, tx, userId, current);
      await create(ctx, tx, userId, { id, name, value }, index);
    } else if (current && current.name !== name && name !== '') {
      await tx.prisma.apiToken.update({ where: { userId_id: { userId, id } }, data: { name } });
    }
  }
}

function refuseMissingValues(wanted: readonly ApiTokenInput[], known: ReadonlyMap<string, Stored>): void {
  const faults = wanted.flatMap(({ id, value }, index): ErrorDetail[] =>
    value !== undefined || (id !== undefined && known.has(id))
      ? []
      : [
          {
            field: `apiTokens.${index}.value`,
            error: 'REQUIRED',
            message: 'A new key needs its value; a masked one is not a value.',
          },
        ],
  );
  if (faults.length > 0) throw invalid(...faults);
}

async function create(
  ctx: Context,
  tx: Queries,
  userId: string,
  { id, name, value }: { id: string; name: string; value: string },
  index: number,
): Promise<void> {
  const { count } = await tx.prisma.apiToken.createMany({
    data: [{ userId, id, name, hash: hashApiKey(value), lastFour: value.slice(-4), createdAt: now() }],
    skipDuplicates: true,
  });
  if (count === 0) {
    throw invalid({
      field: `apiTokens.${index}.value`,
      error: 'INVALID_VALUE',
      message: 'This value cannot be used: choose a random one.',
    });
  }
  await recordEvent(ctx, tx, { type: 'KEY_CREATED', userId, detail: { keyId: id, keyName: name } });
}

async function revoke(ctx: Context, tx: Queries, userId: string, { id, name }: Stored): Promise<void> {
  await tx.prisma.apiToken.delete({ where: { userId_id: { userId, id } } });
  await recordEvent(ctx, tx, { type: 'KEY_REVOKED', userId, detail: { keyId: id, keyName: name } });
}
