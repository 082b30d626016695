/** Scheduled publishing and unpublishing of entries. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { publishAndUnpublishDueEntries } from '../../src/domains/entries/schedule/publish-and-unpublish-due-entries.ts';
import { now } from '../../src/lib/time.ts';
import type { Person } from '../support/app.ts';
import {
  base,
  createCollection,
  createEntry,
  editor,
  entries,
  guest,
  other,
  shop,
  t,
  titleBlock,
} from './setup.ts';

afterEach(() => {
  vi.useRealTimers();
});

interface ScheduledEntry {
  id: string;
  version: number;
  publishAt?: number;
  unpublishAt?: number;
  statuses: { status: string; changedBy: string }[];
}

const createScheduled = async (status = 'DRAFT') => {
  const blog = await createCollection();
  return (await createEntry({ collectionId: blog.id, blocks: [titleBlock('Later')], status })).body;
};
const schedule = (id: string, body: object, as: Person | undefined = editor, headers = {}) =>
  t.rest<ScheduledEntry & { details: object[] }>('PUT', `${entries}/${id}/schedule`, { as, body, headers });
const read = (id: string, as: Person = editor) => t.rest<ScheduledEntry>('GET', `${entries}/${id}`, { as });
const publicStatus = async (id: string) => (await read(id, guest)).status;

describe('scheduled publishing', () => {
  it('is applied once by the job, not before the scheduled time', async () => {
    const { id } = await createScheduled();
    const at = now() + 300;
    const scheduled = await schedule(id, { publishAt: at, unpublishAt: at + 300 });
    expect(scheduled.body).toMatchObject({ publishAt: at, unpublishAt: at + 300, version: 2 });
    expect(scheduled.body.statuses.map(({ status }) => status)).toEqual(['DRAFT']);
    const services = t.app.services;
    await publishAndUnpublishDueEntries(services, at - 1);
    expect(await publicStatus(id)).toBe(404);
    // Passing the scheduled time does not publish the entry by itself: the job sets the status.
    vi.useFakeTimers({ toFake: ['Date'], now: (at + 1) * 1000 });
    expect(await read(id)).toMatchObject({ body: { version: 2, publishAt: at } });
    const runs = await Promise.all([
      publishAndUnpublishDueEntries(services),
      publishAndUnpublishDueEntries(services),
      publishAndUnpublishDueEntries(services),
    ]);
    expect(runs.reduce((sum, count) => sum + count)).toBe(1);
    vi.useRealTimers();
    const public_ = await read(id, guest);
    expect(public_.body).toMatchObject({
      version: 3,
      statuses: [{ status: 'DRAFT' }, { status: 'PUBLISHED' }],
    });
    expect(public_.body).not.toHaveProperty('unpublishAt');
    expect((await read(id)).body).toMatchObject({
      unpublishAt: at + 300,
      statuses: [{}, { status: 'PUBLISHED', changedBy: 'SYSTEM' }],
    });
    const { body } = await t.rest<{
      items: { actor: string; voice: string; before: object; after: object }[];
    }>('GET', `${base}/changes?recordId=${id}&limit=2`, { as: shop.admin });
    expect(body.items).toMatchObject([
      {
        actor: 'SYSTEM',
        voice: 'JOB',
        before: { publishAt: at },
        after: { statuses: [{}, { status: 'PUBLISHED' }] },
      },
      { actor: 'USER', voice: 'REST', after: { publishAt: at, unpublishAt: at + 300 } },
    ]);
    await publishAndUnpublishDueEntries(services, at + 300);
    expect(await publicStatus(id)).toBe(404);
    const ended = await read(id);
    expect(ended.body.statuses.map(({ status }) => status)).toEqual(['DRAFT', 'PUBLISHED', 'DRAFT']);
    expect(ended.body).not.toHaveProperty('unpublishAt');
  });

  it('applies overdue changes in the order of their schedule', async () => {
    const [early, late] = [await createScheduled(), await createScheduled('PUBLISHED')];
    const at = now() + 60;
    await schedule(early.id, { publishAt: at, unpublishAt: at + 1 });
    await schedule(late.id, { publishAt: at + 1, unpublishAt: at });
    await publishAndUnpublishDueEntries(t.app.services, at + 100);
    const statuses = async (id: string) => (await read(id)).body.statuses.map(({ status }) => status);
    expect(await statuses(early.id)).toEqual(['DRAFT', 'PUBLISHED', 'DRAFT']);
    expect(await statuses(late.id)).toEqual(['PUBLISHED', 'DRAFT', 'PUBLISHED']);
  });

  it('applies a past time immediately, and cancels the schedule with null', async () => {
    const { id } = await createScheduled();
    expect((await schedule(id, { publishAt: 1 })).body).toMatchObject({
      statuses: [{}, { status: 'PUBLISHED', changedBy: 'USER' }],
      version: 2,
    });
    await schedule(id, { unpublishAt: now() + 60 });
    const cancelled = await schedule(id, { unpublishAt: null });
    expect(cancelled.body).not.toHaveProperty('unpublishAt');
    await publishAndUnpublishDueEntries(t.app.services, now() + 100);
    expect((await read(id)).body.version).toBe(4);
  });

  it('enqueues one job per scheduled time in the transaction of the change', async () => {
    const [first, second] = [await createScheduled(), await createScheduled()];
    const at = now() + 7200;
    const scheduled = await Promise.all([
      schedule(first.id, { publishAt: at }),
      schedule(second.id, { publishAt: at }),
    ]);
    expect(scheduled.map(({ status }) => status)).toEqual([200, 200]);
    const [queued] = await t.db.sql<{ jobs: number; moment: number }>(
      `select count(*)::int as jobs, max(extract(epoch from start_after))::int as moment
       from pgboss.job where name = 'publish-due' and singleton_key = $1`,
      [String(at)],
    );
    expect(queued).toEqual({ jobs: 1, moment: at });
  });

  it.each([
    [
      { publishAt: 1_900_000_000, unpublishAt: 1_900_000_000 },
      [{ field: 'unpublishAt', error: 'INVALID_RANGE' }],
    ],
    [{ publishAt: -1 }, [{ field: 'publishAt' }]],
    [
      { publishAt: 99_999_999_999, unpublishAt: 'soon' },
      [{ field: 'unpublishAt' }, { field: 'publishAt', error: 'TOO_BIG' }],
    ],
    [{ publishAt: 1.5 }, [{ field: 'publishAt' }]],
  ])('rejects %o', async (body, details) => {
    const { id } = await createScheduled();
    expect(await schedule(id, body)).toMatchObject({ status: 422, body: { details } });
    expect((await read(id)).body).toMatchObject({ version: 1 });
  });

  it('requires CONTENT_WRITE and the current version', async () => {
    const { id } = await createScheduled();
    const limited = await t.withApiKey(shop.admin, ['PRODUCTS_WRITE']);
    const able = await t.withApiKey(shop.admin, ['CONTENT_WRITE']);
    const body = { publishAt: 1 };
    const answers = await Promise.all([
      t.rest('PUT', `${entries}/${id}/schedule`, { body }),
      schedule(id, body, guest),
      schedule(id, body, limited),
      schedule(id, body, other.admin),
      t.rest('PUT', `/v1/businesses/${other.businessId}/entries/${id}/schedule`, { as: other.admin, body }),
      schedule(id, body, editor, { 'if-match': '"7"' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403, 404, 404, 412]);
    expect((await read(id)).body).toMatchObject({ version: 1 });
    expect((await schedule(id, { publishAt: now() + 60 }, able)).status).toBe(200);
    await t.db.prisma.apiToken.deleteMany({ where: { userId: shop.admin.userId } });
    expect((await schedule(id, body, able)).status).toBe(401);
  });

  it('processes businesses in batches of 20, and continues after a failure in one of them', async () => {
    const mine = await createScheduled();
    const group = await t.rest<{ id: string }>('POST', `/v1/businesses/${other.businessId}/collections`, {
      as: other.admin,
      body: { name: 'Theirs', blocks: [{ id: 'title', type: 'TEXT' }] },
    });
    const theirs = await t.rest<{ id: string }>('POST', `/v1/businesses/${other.businessId}/entries`, {
      as: other.admin,
      body: { collectionId: group.body.id, blocks: [titleBlock('Theirs')], status: 'DRAFT' },
    });
    const insertDueEntries = `insert into entries (id, business_id, owner, locale, blocks, statuses, publish_at, version, created_at, updated_at)
      select gen_random_uuid(), business_id, owner, locale, '[]', statuses, $2, 1, created_at, updated_at
      from entries, generate_series(1, 50) where id = $1`;
    const at = now() + 600;
    await publishAndUnpublishDueEntries(t.app.services, at);
    await t.db.write(insertDueEntries, [mine.id, at - 1]);
    await t.db.write(insertDueEntries, [theirs.body.id, at]);
    const { services } = t.app;
    const attempts: string[] = [];
    const run = (failing?: string) => {
      const db = Object.create(services.db) as typeof services.db;
      db.write = async (statement, params) => {
        const businessId = params?.find((param) => param === shop.businessId || param === other.businessId);
        if (!statement.includes('update entries')) return services.db.write(statement, params);
        attempts.push(String(businessId));
        if (businessId === failing) throw new Error('update failed');
        return services.db.write(statement, params);
      };
      return publishAndUnpublishDueEntries({ ...services, db }, at);
    };
    await expect(run(shop.businessId)).rejects.toThrow('update failed');
    await t.db.write(insertDueEntries, [theirs.body.id, at]);
    attempts.length = 0;
    expect(await run()).toBe(100);
    const batches = [shop.businessId, other.businessId]
      .sort()
      .flatMap((id) => Array.from({ length: 20 }, () => id));
    expect(attempts.slice(0, 80)).toEqual([...batches, ...batches]);
  });

  it('finds due entries with an index', async () => {
    const plans = await t.db.transaction(async (tx) => {
      await tx.sql('set local enable_seqscan = off');
      return tx.sql(
        'explain select e.business_id from entries e where e.business_id > $1 and least(e.publish_at, e.unpublish_at) <= 5 order by e.business_id, least(e.publish_at, e.unpublish_at) limit 1',
        [shop.businessId],
      );
    });
    expect(JSON.stringify(plans)).toContain('entries_planned_idx');
  });
});
