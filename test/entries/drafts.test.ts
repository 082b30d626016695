/** Entry drafts: saving, publishing, discarding, preview links, and their invisibility to non-staff. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createEntryPreviewToken,
  readEntryPreviewToken,
} from '../../src/domains/entries/drafts/preview-token.ts';
import type { Person } from '../support/app.ts';
import {
  base,
  createCollection,
  createEntry,
  type Entry,
  editor,
  entries,
  guest,
  other,
  shop,
  t,
  titleBlock,
} from './setup.ts';

interface Draft {
  version: number;
  blocks: { value: unknown }[];
}
type Headers = Record<string, string>;
const saveDraft = (id: string, body: object, as: Person | undefined = editor, headers: Headers = {}) =>
  t.rest<Draft & { details: object[] }>('PUT', `${entries}/${id}/draft`, { as, body, headers });
const getDraft = (id: string, as: Person | undefined = editor) =>
  t.rest<Draft>('GET', `${entries}/${id}/draft`, { as });
const publish = (id: string, body: object = {}, headers: Headers = {}, as: Person | undefined = editor) =>
  t.rest<Entry & { details: object[] }>('POST', `${entries}/${id}/draft/publish`, { as, body, headers });
const discard = (id: string, headers: Headers = {}, as: Person | undefined = editor) =>
  t.rest('DELETE', `${entries}/${id}/draft`, { as, headers });
const read = (id: string, as: Person | undefined = guest) => t.rest<Entry>('GET', `${entries}/${id}`, { as });

let blog: { id: string };
beforeAll(async () => {
  blog = await createCollection({ status: 'PUBLISHED' });
});
const published = async (text = 'Old') => {
  const created = await createEntry({
    collectionId: blog.id,
    blocks: [titleBlock(text)],
    status: 'PUBLISHED',
  });
  return created.body.id;
};

describe('a draft', () => {
  it('does not change the published entry', async () => {
    const id = await published();
    const before = (await read(id)).body;
    expect((await saveDraft(id, { blocks: [titleBlock('New')] })).body).toEqual({
      locale: 'en',
      blocks: [titleBlock('New')],
      basedOn: 1,
      version: 1,
      updatedAt: expect.any(Number),
    });
    expect((await saveDraft(id, { locale: 'de' })).body).toMatchObject({
      locale: 'de',
      blocks: [titleBlock('New')],
    });
    expect((await read(id)).body).toEqual(before);
    const versions = await t.rest<{ items: object[] }>('GET', `${entries}/${id}/versions`, { as: editor });
    expect(versions.body.items).toMatchObject([{ version: 1, blocks: [titleBlock('Old')] }]);
  });

  it('may omit required blocks, but is otherwise validated and sanitised', async () => {
    const rich = await createCollection({
      status: 'PUBLISHED',
      blocks: [
        { id: 'title', type: 'TEXT', required: true },
        { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
      ],
    });
    const { body } = await createEntry({ collectionId: rich.id, blocks: [titleBlock('Old')] });
    const html = { id: 'body', type: 'TEXT', value: '<b>x</b><script>alert(1)</script>' };
    expect((await saveDraft(body.id, { blocks: [html] })).body.blocks).toEqual([
      { ...html, value: '<b>x</b>' },
    ]);
    expect(await publish(body.id)).toMatchObject({
      status: 422,
      body: { details: [{ field: 'blocks.title', error: 'REQUIRED' }] },
    });
    expect(
      await saveDraft(body.id, { locale: '?', blocks: [{ id: 'x', type: 'TEXT', value: 1 }] }),
    ).toMatchObject({
      status: 422,
      body: { details: [{ field: 'blocks.0.id' }, { field: 'locale' }] },
    });
    expect((await getDraft(body.id)).body.version).toBe(1);
  });

  it('is sanitised when the schema changes or the entry moves to another collection', async () => {
    const html = { settings: { variant: 'HTML' } };
    const plain = await createCollection({ blocks: [{ id: 'title', type: 'TEXT' }] });
    const { body } = await createEntry({ collectionId: plain.id, blocks: [titleBlock('Old')] });
    const evil = titleBlock('<b>x</b><script>alert(1)</script>');
    await saveDraft(body.id, { blocks: [evil] });
    const rich = await createCollection({ blocks: [{ id: 'title', type: 'TEXT', ...html }] });
    await t.rest('PUT', `${entries}/${body.id}`, { as: editor, body: { collectionId: rich.id } });
    expect((await getDraft(body.id)).body).toMatchObject({ version: 2, blocks: [titleBlock('<b>x</b>')] });
    await t.rest('PUT', `${entries}/${body.id}`, { as: editor, body: { collectionId: plain.id } });
    await saveDraft(body.id, { blocks: [evil] });
    await t.rest('PUT', `${base}/collections/${plain.id}`, {
      as: editor,
      body: { blocks: [{ id: 'title', type: 'TEXT', ...html }] },
    });
    expect((await getDraft(body.id)).body).toMatchObject({ version: 4, blocks: [titleBlock('<b>x</b>')] });
  });

  it('is published atomically and once, under concurrent requests', async () => {
    const id = await published();
    await saveDraft(id, { blocks: [titleBlock('New')], locale: 'de' });
    expect((await publish(id, {}, { 'if-match': '"7"' })).status).toBe(412);
    expect((await publish(id, { draftVersion: 7 })).status).toBe(412);
    const answers = await Promise.all([
      publish(id, { draftVersion: 1 }, { 'if-match': '"1"' }),
      publish(id, { draftVersion: 1 }, { 'if-match': '"1"' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await read(id)).body).toMatchObject({ version: 2, locale: 'de', blocks: [titleBlock('New')] });
    expect((await getDraft(id)).status).toBe(404);
    expect((await publish(id)).status).toBe(404);
    const hidden = (await createEntry({ collectionId: blog.id, blocks: [titleBlock('Hidden')] })).body.id;
    await saveDraft(hidden, {});
    expect((await publish(hidden)).body).toMatchObject({
      statuses: [{ status: 'DRAFT' }, { status: 'PUBLISHED' }],
    });
  });

  it('has its own version, which continues after it is discarded', async () => {
    const id = await published();
    expect((await saveDraft(id, {}, editor, { 'if-match': '"1"' })).status).toBe(412);
    expect((await saveDraft(id, {}, editor, { 'if-match': '"0"' })).status).toBe(200);
    expect((await saveDraft(id, {}, editor, { 'if-match': '"0"' })).status).toBe(412);
    expect((await discard(id, { 'if-match': '"9"' })).status).toBe(412);
    expect(await discard(id, { 'if-match': '"1"' })).toMatchObject({ body: { id, deleted: true } });
    expect((await discard(id)).status).toBe(404);
    expect((await saveDraft(id, { blocks: [titleBlock('Again')] })).body).toMatchObject({
      version: 2,
      basedOn: 1,
    });
    expect((await read(id)).body.version).toBe(1);
  });
});

describe('draft visibility', () => {
  it('rejects reads and writes of callers without CONTENT_WRITE', async () => {
    const id = await published();
    await saveDraft(id, { blocks: [titleBlock('Secret')] });
    const limited = await t.withApiKey(shop.admin, ['PRODUCTS_WRITE']);
    const dismissed = await t.addMember(shop, await t.person(), 'EDITOR');
    await t.db.write('delete from memberships where user_id = $1', [dismissed.userId]);
    const unauthenticated = { userId: '', token: '' };
    for (const [name, as, change, see] of [
      ['unauthenticated', unauthenticated, 401, 401],
      ['guest', guest, 403, 404],
      ['customer', await t.person(), 403, 404],
      ['limited key', limited, 403, 404],
      ['dismissed', dismissed, 403, 404],
      ['other admin', other.admin, 404, 404],
    ] as const) {
      const caller = as === unauthenticated ? undefined : as;
      const answers = await Promise.all([
        t.rest('PUT', `${entries}/${id}/draft`, { as: caller, body: { blocks: [titleBlock('Mine')] } }),
        t.rest('DELETE', `${entries}/${id}/draft`, { as: caller }),
        t.rest('POST', `${entries}/${id}/draft/publish`, { as: caller, body: {} }),
        t.rest('POST', `${entries}/${id}/previews`, { as: caller, body: {} }),
        t.rest('GET', `${entries}/${id}/draft`, { as: caller }),
      ]);
      expect([name, ...answers.map(({ status }) => status)]).toEqual([name, ...Array(4).fill(change), see]);
    }
    const elsewhere = `/v1/businesses/${other.businessId}/entries/${id}/draft`;
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
      expect((await t.rest(method, elsewhere, { as: other.admin, ...(body && { body }) })).status).toBe(404);
    expect((await getDraft(id)).body).toMatchObject({ version: 1, blocks: [titleBlock('Secret')] });
  });

  it('resolves relationship targets of a draft for staff, also in the mutation result', async () => {
    const works = await createCollection({
      status: 'PUBLISHED',
      blocks: [{ id: 'shown', type: 'RELATIONSHIP', settings: { targetType: 'COLLECTION' } }],
    });
    const { body } = await createEntry({ collectionId: works.id, blocks: [] });
    const blocks = [{ id: 'shown', type: 'RELATIONSHIP', value: works.id }];
    const shown = 'block(id: "shown") { type asRelationship { ... on Collection { id } } }';
    const saved = await t.graphql(
      `mutation($b: ID!, $id: ID!, $blocks: [BlockInput!]) { saveEntryDraft(businessId: $b, id: $id, input: { blocks: $blocks }) {
        draft { ${shown} } } }`,
      { b: shop.businessId, id: body.id, blocks },
      { as: editor },
    );
    const draft = { block: { type: 'RELATIONSHIP', asRelationship: { id: works.id } } };
    expect(saved.data).toEqual({ saveEntryDraft: { draft } });
    const result = await t.graphql(
      `query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) { draft { ${shown} } } }`,
      { b: shop.businessId, id: body.id },
      { as: editor },
    );
    expect(result.data).toEqual({ entry: { draft } });
  });

  it('loads drafts of a list in one query for staff, and returns null to others', async () => {
    const fresh = await createCollection({ status: 'PUBLISHED' });
    for (const text of ['A', 'B', 'C']) {
      const created = await createEntry({
        collectionId: fresh.id,
        blocks: [titleBlock(text)],
        status: 'PUBLISHED',
      });
      if (text !== 'B') await saveDraft(created.body.id, { blocks: [titleBlock(`${text}2`)] });
    }
    const query = `query($b: ID!, $c: ID!) { entries(businessId: $b, collectionId: $c) { nodes { draft { block(id: "title") { text } } } } }`;
    const variables = { b: shop.businessId, c: fresh.id };
    const texts = async (as: Person) => {
      t.statements.length = 0;
      const { data } = await t.graphql(query, variables, { as });
      expect(t.statements.filter((text) => text.includes('entry_drafts')).length).toBeLessThan(2);
      const result = data as { entries: { nodes: { draft: { block: object } | null }[] } } | undefined;
      return result?.entries.nodes.map((node) => node.draft?.block);
    };
    expect(await texts(editor)).toEqual([{ text: 'C2' }, undefined, { text: 'A2' }]);
    expect(await texts(guest)).toEqual([undefined, undefined, undefined]);
    expect(await texts(other.admin)).toEqual([undefined, undefined, undefined]);
  });
});

describe('a preview', () => {
  const link = async (id: string, body: object = {}) =>
    (
      await t.rest<{ token: string; url: string; expiresAt: number }>('POST', `${entries}/${id}/previews`, {
        as: editor,
        body,
      })
    ).body;
  const open = (token: string, businessId = shop.businessId) =>
    t.rest<{ message: string }>('GET', `/v1/businesses/${businessId}/entry-previews/${token}`);
  const query = `query($b: ID!, $token: String!) {
    entryPreview(businessId: $b, token: $token) { hasDraft entry { id blocks { id: key type value } draft { version } } } }`;
  const queryPreview = (token: string, b = shop.businessId) => t.graphql(query, { b, token });

  it('returns the entry with its draft to any client with the token, uncacheable, over REST and GraphQL', async () => {
    const { body } = await createEntry({ collectionId: blog.id, blocks: [titleBlock('Hidden')] });
    const { token, url, expiresAt } = await link(body.id);
    expect(new URL(url).pathname).toBe(`${base}/entry-previews/${token}`);
    const plain = await open(token);
    expect(plain.headers.get('cache-control')).toBe('private, no-store');
    expect(plain.body).toMatchObject({
      hasDraft: false,
      expiresAt,
      entry: { blocks: [titleBlock('Hidden')] },
    });
    expect(JSON.stringify(plain.body)).not.toContain(editor.userId);
    await saveDraft(body.id, { blocks: [titleBlock('Better')] });
    expect((await open(token)).body).toMatchObject({
      hasDraft: true,
      entry: { blocks: [titleBlock('Better')] },
    });
    const viaGraphql = await queryPreview(token);
    expect(viaGraphql.headers.get('cache-control')).toBe('private, no-store');
    expect(viaGraphql.data?.entryPreview).toEqual({
      hasDraft: true,
      entry: { id: body.id, blocks: [titleBlock('Better')], draft: null },
    });
    expect((await read(body.id)).status).toBe(404);
    await t.rest('DELETE', `${entries}/${body.id}`, { as: editor });
    expect((await open(token)).status).toBe(404);
  });

  it('returns 404 for expired, forged and foreign tokens', async () => {
    const id = await published();
    const { token, expiresAt } = await link(id, { expiresIn: 60 });
    const none = await open('none');
    expect(none.status).toBe(404);
    const foreign = other.businessId;
    const { userId } = editor;
    const forged = createEntryPreviewToken(new Uint8Array(32), shop.businessId, {
      entryId: id,
      expiresAt,
      userId,
    });
    const changed = `${token.startsWith('Z') ? 'Y' : 'Z'}${token.slice(1)}`;
    for (const wrong of [forged, changed, `${token}A`, token.slice(1), '%00', 'x'.repeat(3000)])
      expect([wrong, (await open(wrong)).status]).toEqual([wrong, 404]);
    expect((await open(token, foreign)).body).toMatchObject({
      message: none.body.message,
    });
    expect((await queryPreview(token, foreign)).data?.entryPreview).toBeNull();
    vi.useFakeTimers({ toFake: ['Date'], now: expiresAt * 1000 });
    try {
      const ended = await open(token);
      expect([ended.status, ended.body.message]).toEqual([404, none.body.message]);
      expect((await queryPreview(token)).data?.entryPreview).toBeNull();
    } finally {
      vi.useRealTimers();
    }
    for (const expiresIn of [0, 59, 604_801, 1.5, 'x'])
      expect(
        (await t.rest('POST', `${entries}/${id}/previews`, { as: editor, body: { expiresIn } })).status,
      ).toBe(422);
  });

  it('becomes invalid with the role, API key or account of its creator, and does not reveal the creator', async () => {
    const { body } = await createEntry({ collectionId: blog.id, blocks: [titleBlock('Hidden')] });
    const [fired, deleted] = [await t.person(), await t.person()];
    for (const person of [fired, deleted]) await t.addMember(shop, person, 'EDITOR');
    const tokens: string[] = [];
    for (const as of [fired, deleted, await t.withApiKey(shop.admin, ['CONTENT_WRITE']), shop.admin]) {
      const created = await t.rest<{ token: string }>('POST', `${entries}/${body.id}/previews`, {
        as,
        body: {},
      });
      tokens.push(created.body.token);
      expect(Buffer.from(created.body.token, 'base64url').toString('latin1')).not.toContain(as.userId);
    }
    const statuses = () => Promise.all(tokens.map(async (token) => (await open(token)).status));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await t.db.prisma.membership.deleteMany({ where: { userId: fired.userId } });
    await t.db.prisma.user.delete({ where: { id: deleted.userId } });
    await t.db.prisma.apiToken.deleteMany({ where: { userId: shop.admin.userId } });
    expect(await statuses()).toEqual([404, 404, 404, 200]);
  });

  it('binds the token to the entry, the business, the creator and the expiry', () => {
    const secret = new Uint8Array(32).fill(7);
    const preview = {
      entryId: '01999999-0000-7000-8000-00000000000a',
      expiresAt: 2_000_000_000,
      userId: '01999999-0000-7000-8000-00000000000b',
      keyId: undefined,
      sessionId: '01999999-0000-7000-8000-00000000000c',
    };
    const token = createEntryPreviewToken(secret, 'b1', preview);
    expect(readEntryPreviewToken(secret, 'b1', token, 1_999_999_999)).toEqual(preview);
    expect(readEntryPreviewToken(secret, 'b1', token, 2_000_000_000)).toBeUndefined();
    expect(readEntryPreviewToken(secret, 'b2', token, 0)).toBeUndefined();
    expect(readEntryPreviewToken(secret.fill(8), 'b1', token, 0)).toBeUndefined();
  });
});
