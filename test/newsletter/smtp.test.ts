/** A newsletter mail as received over SMTP, parsed with a MIME parser. */
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

let t: TestApp;
let sink: SmtpSink;

beforeAll(async () => {
  sink = await startSmtpSink();
  t = await testApp({
    SMTP_URL: sink.url,
    PUBLIC_URL: 'https://api.duet.test',
    MAIL_FROM: 'Duet <news@duet.test>',
  });
});
afterAll(() => sink.close());

it('has HTML and text parts, an encoded subject and list headers, without header injection', async () => {
  const shop = await t.shop();
  const post = async (path: string, body: object) =>
    (
      await t.rest<{ id: string; sendId: string }>('POST', `/v1/businesses/${shop.businessId}/${path}`, {
        as: shop.admin,
        body,
      })
    ).body;
  const { id: collectionId } = await post('collections', { name: 'Größe', type: 'NEWSLETTER' });
  const { id } = await post(`collections/${collectionId}/subscribe`, {
    email: 'ada@mail.example',
    name: 'Ada\r\nBcc: evil@mail.example',
  });
  const { id: entryId } = await post('entries', {
    collectionId,
    blocks: [
      { id: 'subject', type: 'TEXT', value: 'Grüße, {{subscriberName}}\r\nX-Evil: 1' },
      { id: 'body', type: 'TEXT', settings: { variant: 'HTML' }, value: '<p>Hello ✓</p>' },
    ],
  });
  const { sendId } = await post(`entries/${entryId}/send`, {});
  await t.app.drainJobs();
  const raw = sink.messages[0] ?? '';
  const mail = await PostalMime.parse(raw);
  const header = (name: string) => mail.headers.filter(({ key }) => key === name).map(({ value }) => value);
  expect(mail.from).toMatchObject({ address: 'news@duet.test' });
  expect(mail.to).toMatchObject([{ address: 'ada@mail.example' }]);
  expect(mail.subject).toBe('Grüße, Ada Bcc: evil@mail.example X-Evil: 1');
  expect(header('bcc').concat(header('x-evil'))).toEqual([]);
  expect(header('message-id')).toEqual([`<${sendId}.${id}@api.duet.test>`]);
  expect(header('list-id')).toEqual([`<${collectionId}.api.duet.test>`]);
  expect(header('list-unsubscribe')).toEqual([
    expect.stringMatching(
      new RegExp(
        `^<https://api\\.duet\\.test/v1/businesses/${shop.businessId}/collections/unsubscribe\\?token=[\\w-]{43}>$`,
      ),
    ),
  ]);
  expect(header('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
  expect(mail.html).toContain('<p>Hello ✓</p>');
  expect(mail.text).toContain('Hello ✓');
});
