/** Saves what staff prepare beside an entry. The entry itself, its version and what guests see of it stay as they are. */
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { Accept } from '../../lib/input.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { plainBlock, type SentBlock } from '../blocks/content.ts';
import { fitting } from '../shared/record-size.ts';
import { checkOwned } from './check-owned.ts';
import type { SaveDraft } from './checks.ts';
import { type DraftView, drafts, isDraft } from './draft-model.ts';
import { storedDraft } from './find-draft.ts';
import { lockEntry } from './find-entry.ts';

/** As it was sent: its blocks are checked against what the database says about the entry. */
export interface SentDraft {
  businessId: string;
  id: string;
  input: { blocks?: readonly unknown[] | null | undefined };
  version?: number | null | undefined;
}

const statement = `${drafts.insert} on conflict (id) do update set ${drafts.excluded}`;

/** What is not given stays as it is in the draft, or in the entry when there is none yet. */
export const saveDraft = (ctx: Context, sent: SentDraft, accept: Accept<SaveDraft>): Promise<DraftView> =>
  ctx.db.transaction(async (tx) => {
    const entry = await lockEntry(tx, sent.businessId, sent.id);
    if (!entry) throw notFound('Entry');
    const stored = await storedDraft(tx, entry.id);
    const current = isDraft(stored) ? stored : undefined;
    expectVersion(current?.version ?? 0, sent.version ?? undefined);
    const given = (sent.input.blocks as SentBlock[] | null | undefined)?.map(plainBlock);
    const checked = given && (await checkOwned(ctx, tx, entry, given, { isDraft: true }));
    const { input } = accept(checked?.issues ?? []);
    const draft = {
      id: entry.id,
      locale: input.locale ?? current?.locale ?? entry.locale,
      blocks: checked?.blocks ?? current?.blocks ?? entry.blocks,
      basedOn: current?.basedOn ?? entry.version,
      version: stored ? tx.nextVersion(stored.version) : 1,
      updatedAt: now(),
    };
    await tx.sql(statement, fitting(drafts.insertParams(draft)));
    return { ...draft, businessId: entry.businessId };
  });
