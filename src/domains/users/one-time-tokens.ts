/** Confirmation and reset tokens: signed, good for an hour, gone with their first use. */
import { digest } from '../../auth/secrets.ts';
import type { OneTimePurpose } from '../../auth/tokens.ts';
import type { Context, Services } from '../../context.ts';
import { insertRow } from '../../db/rows.ts';
import type { Queries } from '../../db/sql.ts';
import { invalid } from '../../errors.ts';
import { now } from '../../lib/time.ts';

const seconds = 3600;

export interface OneTimeToken {
  token: string;
  /** Makes it valid, in the transaction that sends it. */
  save(tx: Queries): Promise<void>;
}

export async function issueToken(
  { tokens }: Pick<Services, 'tokens'>,
  purpose: OneTimePurpose,
  userId: string,
): Promise<OneTimeToken> {
  const expiresAt = now() + seconds;
  const { token, jti } = await tokens.oneTime(purpose, { sub: userId, exp: expiresAt });
  return {
    token,
    async save(tx) {
      await insertRow(tx, 'one_time_tokens', { jtiHash: digest(jti), userId, purpose, expiresAt });
    },
  };
}

export interface VerifiedToken {
  userId: string;
  /** Throws when somebody was faster. */
  use(tx: Queries): Promise<void>;
}

/** The signature is checked before anything costs: `use` then decides, in the transaction of the change. */
export async function verifyToken(
  ctx: Context,
  purpose: OneTimePurpose,
  token: string,
): Promise<VerifiedToken> {
  const claims = await ctx.tokens.verifyOneTime(purpose, token);
  if (!claims) throw invalidToken();
  return {
    userId: claims.sub,
    async use(tx) {
      const used = await tx.sql(
        `delete from one_time_tokens where jti_hash = $1 and user_id = $2 and purpose = $3::"OneTimePurpose" and expires_at > $4
         returning 1`,
        [digest(claims.jti), claims.sub, purpose, now()],
      );
      if (used.length === 0) throw invalidToken();
    },
  };
}

/** A new password makes every link that was sent before worthless. */
export async function forgetTokensOf(tx: Queries, userId: string): Promise<void> {
  await tx.sql('delete from one_time_tokens where user_id = $1', [userId]);
}

const invalidToken = () =>
  invalid({
    field: 'token',
    error: 'INVALID_TOKEN',
    message: 'This link was used already, has expired, or is not one of ours. Ask for a new one.',
  });
