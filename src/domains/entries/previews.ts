/** Links with which whoever holds them reads one entry as staff prepare it, until they end. */
import { mayStill } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/table.ts';
import { notFound, unauthenticated } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { CreatePreview } from './checks.ts';
import { isDraft } from './draft-model.ts';
import { storedDraft } from './find-draft.ts';
import { findEntry } from './find-entry.ts';
import { type Entry, entries } from './model.ts';
import { previewToken, readPreviewToken } from './preview-token.ts';
import { publicView } from './public-view.ts';

export interface PreviewLink {
  token: string;
  url: string;
  expiresAt: number;
}

export interface Previewed {
  entry: Entry;
  hasDraft: boolean;
  expiresAt: number;
}

const anHour = 3600;

export async function createPreview(
  ctx: Context,
  { businessId, id, expiresIn = anHour }: CreatePreview,
): Promise<PreviewLink> {
  const { user } = ctx.viewer;
  if (!user) throw unauthenticated();
  const entry = await findEntry(ctx, { businessId, id });
  if (!entry) throw notFound('Entry');
  const expiresAt = now() + expiresIn;
  const { userId, keyId } = user;
  const preview = { entryId: entry.id, expiresAt, userId, keyId };
  const token = previewToken(ctx.keys.secret, entry.businessId, preview);
  const url = `${ctx.config.publicUrl}/v1/businesses/${entry.businessId}/entry-previews/${token}`;
  return { token, url, expiresAt };
}

const byId = `select ${entries.columns} from ${entries.from} where e.business_id = $1 and e.id = $2`;

/** The entry as the public would see it if it were published with its draft; whether it is public does not matter. */
export async function findPreview(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<Previewed | undefined> {
  // Neither the draft nor that there is none may be kept by anybody on the way.
  ctx.request.answerHeaders['cache-control'] = 'private, no-store';
  const preview = isId(businessId) ? readPreviewToken(ctx.keys.secret, businessId, token, now()) : undefined;
  if (!preview) return undefined;
  const [row] = await ctx.db.sql<Row>(byId, [businessId, preview.entryId]);
  if (!row || !(await mayStill(ctx.db, preview, ['CONTENT_WRITE'], entries.read(row).businessId)))
    return undefined;
  const stored = await storedDraft(ctx.db, preview.entryId);
  const entry = publicView.forPublic(entries.read(row), null);
  return {
    entry: isDraft(stored) ? { ...entry, locale: stored.locale, blocks: stored.blocks } : entry,
    hasDraft: isDraft(stored),
    expiresAt: preview.expiresAt,
  };
}
