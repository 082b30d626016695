/** Sequences and account references that the target needs besides the copied rows, before it accepts writes of the business. */
import { homeServerName } from '../../shard-variables.ts';
import type { Move } from './open-move.ts';

interface SequencePosition {
  name: string;
  position: string;
}

export async function prepareTarget(move: Move): Promise<void> {
  await Promise.all([advanceSequences(move), addAccountReferences(move)]);
}

/** Numbers that the target assigns follow those of the copied rows. */
async function advanceSequences({ source, target }: Move): Promise<void> {
  const sequences = await source.connection.query<SequencePosition>(
    `SELECT quote_ident(sequencename) AS name, last_value::text AS position FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL`,
  );
  // Not exactly the next number: other businesses of the target may have taken some in the meantime.
  const statements = sequences.map(
    ({ name, position }) =>
      `SELECT setval('${name}', greatest(last_value, ${BigInt(position)}) + 1000) FROM ${name} WHERE last_value < ${BigInt(position)}`,
  );
  if (statements.length > 0) await target.connection.query(statements.join(';'));
}

/** Rows that have only the id of their account, for the foreign keys. The home server has the accounts. */
async function addAccountReferences({ businessId, target }: Move): Promise<void> {
  if (target.name === homeServerName) return;
  await target.connection.query(
    `INSERT INTO users (id, phone_numbers, created_at, updated_at)
     SELECT user_id, array[]::text[], 0, 0 FROM (
       SELECT user_id FROM memberships WHERE business_id = $1 UNION SELECT user_id FROM customer_group_members WHERE business_id = $1
     ) referenced ON CONFLICT DO NOTHING`,
    [businessId],
  );
}
