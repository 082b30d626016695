/** Preview tokens: encrypted, stateless, bound to one entry of one business, its creator and an expiry in Unix seconds. */
import { z } from 'zod';
import { decryptWithSecret, encryptWithSecret } from '../../../lib/crypto.ts';

export interface EntryPreviewTokenContent {
  entryId: string;
  expiresAt: number;
  /** Creator of the token. The token is encrypted, so its holder cannot read this id. */
  userId: string;
  keyId?: string | undefined;
}

const content = z.tuple([
  z.literal('entry-preview'),
  z.string(),
  z.string(),
  z.number(),
  z.string(),
  z.string().nullable(),
]);

export function createEntryPreviewToken(
  secret: Uint8Array,
  businessId: string,
  preview: EntryPreviewTokenContent,
): string {
  const { entryId, expiresAt, userId, keyId = null } = preview;
  const fields: z.infer<typeof content> = [
    'entry-preview',
    businessId.toLowerCase(),
    entryId,
    expiresAt,
    userId,
    keyId,
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
  if (!text?.startsWith('["entry-preview",')) return undefined;
  const [, tokenBusinessId, entryId, expiresAt, userId, keyId] = content.parse(JSON.parse(text));
  if (tokenBusinessId !== businessId.toLowerCase() || expiresAt <= time) return undefined;
  return { entryId, expiresAt, userId, keyId: keyId ?? undefined };
}
