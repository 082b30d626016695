/** Preview tokens: encrypted, stateless, bound to one entry of one business, its creator, their session or API key, and an expiry in Unix seconds. */
import { z } from 'zod';
import { decryptWithSecret, encryptWithSecret } from '../../../lib/hash-encrypt-and-random-tokens.ts';

interface EntryPreviewTokenContent {
  entryId: string;
  expiresAt: number;
  /** Creator of the token. The token is encrypted, so its holder cannot read this id. */
  userId: string;
  keyId?: string | undefined;
  /** Session of the creator: the token ends with it. */
  sessionId?: string | undefined;
}

/** Tokens of version 0.2 and earlier, `entry-preview`, were not bound to a session and are not accepted. */
const kind = 'entry-preview-2';

const content = z.tuple([
  z.literal(kind),
  z.string(),
  z.string(),
  z.number(),
  z.string(),
  z.string().nullable(),
  z.string().nullable(),
]);

export function createEntryPreviewToken(
  secret: Uint8Array,
  businessId: string,
  preview: EntryPreviewTokenContent,
): string {
  const { entryId, expiresAt, userId, keyId = null, sessionId = null } = preview;
  const fields: z.infer<typeof content> = [
    kind,
    businessId.toLowerCase(),
    entryId,
    expiresAt,
    userId,
    keyId,
    sessionId,
  ];
  return encryptWithSecret(secret, JSON.stringify(fields));
}

/** Undefined when the token is forged, has expired by `time` (Unix seconds), or belongs to another business. */
export function readEntryPreviewToken(
  secret: Uint8Array,
  businessId: string,
  token: string,
  time: number,
): EntryPreviewTokenContent | undefined {
  const text = decryptWithSecret(secret, token);
  if (!text?.startsWith(`["${kind}",`)) return undefined;
  const [, tokenBusinessId, entryId, expiresAt, userId, keyId, sessionId] = content.parse(JSON.parse(text));
  if (tokenBusinessId !== businessId.toLowerCase() || expiresAt <= time) return undefined;
  return { entryId, expiresAt, userId, keyId: keyId ?? undefined, sessionId: sessionId ?? undefined };
}
