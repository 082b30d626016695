/** Tokens of previews: each names one entry of one business, who made it and the second it ends, sealed. Nothing of it is stored. */
import { z } from 'zod';
import { seal, unseal } from '../../../lib/crypto.ts';

export interface PreviewTokenContent {
  entryId: string;
  expiresAt: number;
  /** Whoever holds it need not know who made it: it can be read by nobody. */
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

export function createPreviewToken(
  secret: Uint8Array,
  businessId: string,
  preview: PreviewTokenContent,
): string {
  const { entryId, expiresAt, userId, keyId = null } = preview;
  const named: z.infer<typeof content> = [
    'entry-preview',
    businessId.toLowerCase(),
    entryId,
    expiresAt,
    userId,
    keyId,
  ];
  return seal(secret, JSON.stringify(named));
}

/** Undefined when it is not genuine, has ended by `time`, or is one of another business. */
export function readPreviewToken(
  secret: Uint8Array,
  businessId: string,
  token: string,
  time: number,
): PreviewTokenContent | undefined {
  const text = unseal(secret, token);
  if (!text?.startsWith('["entry-preview",')) return undefined;
  const [, of, entryId, expiresAt, userId, keyId] = content.parse(JSON.parse(text));
  if (of !== businessId.toLowerCase() || expiresAt <= time) return undefined;
  return { entryId, expiresAt, userId, keyId: keyId ?? undefined };
}
