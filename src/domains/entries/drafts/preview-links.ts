/** Preview links: any client with the token reads one entry with its draft until the token expires or the session or API key of its creator ends. */
import { identityStillHasAnyPermission } from '../../../auth/load-viewer-of-identity.ts';
import type { Context } from '../../../context.ts';
import type { UntypedRow } from '../../../db/index.ts';
import { notFoundError, unauthenticatedError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { type Entry, entryTable } from '../model.ts';
import { findEntry } from '../read/find-entry.ts';
import { nonStaffEntryViews } from '../read/non-staff-entry-views.ts';
import type { CreateEntryPreviewArgs } from '../schemas.ts';
import { loadEntryDraftRow } from './load-drafts.ts';
import { isOpenDraft } from './model.ts';
import { createEntryPreviewToken, readEntryPreviewToken } from './preview-token.ts';

export interface EntryPreviewLink {
  token: string;
  url: string;
  expiresAt: number;
}

export interface EntryPreview {
  entry: Entry;
  hasDraft: boolean;
  expiresAt: number;
}

const defaultLifetimeSeconds = 3600;

export async function createEntryPreview(
  ctx: Context,
  { businessId, id, expiresIn = defaultLifetimeSeconds }: CreateEntryPreviewArgs,
): Promise<EntryPreviewLink> {
  const { user } = ctx.viewer;
  if (!user) throw unauthenticatedError();
  const entry = await findEntry(ctx, { businessId, id });
  if (!entry) throw notFoundError('Entry');
  const expiresAt = now() + expiresIn;
  const { userId, keyId, sessionId } = user;
  const preview = { entryId: entry.id, expiresAt, userId, keyId, sessionId };
  const token = createEntryPreviewToken(ctx.keys.secret, entry.businessId, preview);
  const url = `${ctx.config.publicUrl}/v1/businesses/${entry.businessId}/entry-previews/${token}`;
  return { token, url, expiresAt };
}

const byId = `select ${entryTable.columns} from ${entryTable.from} where e.business_id = $1 and e.id = $2`;

/** The entry as the public would see it if it were published with its draft, regardless of its current status. */
export async function findEntryPreview(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<EntryPreview | undefined> {
  // No shared cache may store the draft, or the fact that there is none.
  ctx.request.responseHeaders['cache-control'] = 'private, no-store';
  const preview = isId(businessId)
    ? readEntryPreviewToken(ctx.keys.secret, businessId, token, now())
    : undefined;
  if (!preview) return undefined;
  const [row] = await ctx.db.sql<UntypedRow>(byId, [businessId, preview.entryId]);
  if (
    !row ||
    !(await identityStillHasAnyPermission(
      ctx.db,
      preview,
      ['CONTENT_WRITE'],
      entryTable.read(row).businessId,
    ))
  )
    return undefined;
  const draft = await loadEntryDraftRow(ctx.db, preview.entryId);
  const entry = nonStaffEntryViews.publicView(entryTable.read(row), null);
  return {
    entry: isOpenDraft(draft) ? { ...entry, locale: draft.locale, blocks: draft.blocks } : entry,
    hasDraft: isOpenDraft(draft),
    expiresAt: preview.expiresAt,
  };
}
