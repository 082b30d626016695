/** Texts that are truncated in the middle of a surrogate pair: PostgreSQL rejects the half in JSON. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { slugify } from '../../src/lib/text/slug.ts';
import { slugSchema } from '../../src/lib/validation/input.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
});

const pair = '𠮷';
/** Their slugs end at the 100th UTF-16 code unit: in the middle of a pair, and after a dash. */
const names = [`a${pair.repeat(80)}`, `${'a'.repeat(99)} b`];

it('every slug made from a name is valid', () => {
  const unit = fc.constantFrom('a', 'É', ' ', '-', '!', pair, '🙂');
  const name = fc.string({ unit, minLength: 90, maxLength: 130 });
  fc.assert(
    fc.property(fc.oneof(name, fc.constantFrom(...names)), (text) => {
      expect(slugSchema.safeParse(slugify(text)).success).toBe(true);
      expect(slugify(text).isWellFormed()).toBe(true);
    }),
  );
});

it.each(['products', 'collections', 'categories'])(
  '%s with such a name can be saved again as read',
  async (list) => {
    for (const name of names) {
      const path = `/v1/businesses/${shop.businessId}/${list}`;
      const created = await t.rest<{ id: string; slug: string }>('POST', path, {
        as: shop.admin,
        body: { name },
      });
      expect(created).toMatchObject({ status: 200, body: { name } });
      const { id, slug } = created.body;
      const saved = await t.rest('PUT', `${path}/${id}`, { as: shop.admin, body: { slug } });
      expect(saved).toMatchObject({ status: 200, body: { slug } });
    }
  },
);

it.each([0, 1])('mails about newsletters with long names are sent', async (shift) => {
  const name = `${'a'.repeat(shift)}${'🙂'.repeat(95)}`;
  const path = `/v1/businesses/${shop.businessId}/collections`;
  const body = { name, slug: `news-${shift}`, type: 'NEWSLETTER', doubleOptIn: true };
  const { body: newsletter } = await t.rest<{ id: string }>('POST', path, { as: shop.admin, body });
  const email = `reader-${shift}@people.example`;
  const as = await t.person({ provider: 'GUEST' });
  const answer = await t.rest('POST', `${path}/${newsletter.id}/subscribe`, { as, body: { email } });
  expect(answer).toMatchObject({ status: 200, body: { email } });
});
