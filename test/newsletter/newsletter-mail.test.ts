/** Rendering of newsletter mails, including hostile names and content; retry delays and send rate. */
import { describe, expect, it } from 'vitest';
import type { Block } from '../../src/domains/blocks/model.ts';
import {
  composeNewsletterMail,
  personaliseNewsletterMail,
} from '../../src/domains/newsletter/mail/compose-newsletter-mail.ts';
import { computeMailRetryDelayMs } from '../../src/domains/newsletter/sending/claim-recipients.ts';
import { createSendRateLimiter } from '../../src/domains/newsletter/sending/deliver-newsletter.ts';
import { toSingleLine } from '../../src/lib/text/escape-text.ts';
import { htmlToText } from '../../src/lib/text/html-and-plain-text.ts';

const schema: Block[] = [
  { id: 'title', type: 'TEXT' },
  { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
];

const compose = (blocks: Block[], locale = 'en') =>
  composeNewsletterMail({
    entry: { locale, blocks },
    collection: { name: 'Weekly', blocks: schema },
    businessName: 'Tea & Co',
    publicUrl: 'https://api.example',
  });

const text = (id: string, value: unknown): Block => ({ id, type: 'TEXT', value });
const to = (name: string) => ({
  name,
  email: 'ada@x.example',
  unsubscribeUrl: 'https://api.example/u?token=t&x=1',
});

describe('the subject', () => {
  it.each([
    [[text('body', '<p>First</p>'), text('title', 'Title'), text('subject', 'Subject')], 'Subject'],
    [[text('body', '<p>First</p>'), text('title', 'Title')], 'Title'],
    [[text('body', '<p>First &amp; <b>best</b></p>'), text('note', 'x')], 'First & best'],
    [[{ id: 'n', type: 'NUMBER', value: 7 } as Block], 'Weekly'],
    [[text('subject', { de: 'Hallo', en: 'Hello' })], 'Hello'],
    [[text('subject', 'News from {{businessName}}')], 'News from Tea & Co'],
    [[text('subject', 'Hi\r\nBcc: evil@x.example\u2028\u0000!')], 'Hi Bcc: evil@x.example !'],
    [[text('subject', 'x'.repeat(500))], 'x'.repeat(200)],
  ])('of %j is %s', (blocks, subject) => {
    expect(compose(blocks).subject).toBe(subject);
  });

  it('stays on one line for any subscriber name', () => {
    const content = compose([text('subject', 'Hello {{subscriberName}}')]);
    expect(personaliseNewsletterMail(content, to('A\r\nBcc: evil@x.example')).subject).toBe(
      'Hello A Bcc: evil@x.example',
    );
  });
});

describe('the body', () => {
  it('contains the blocks in order, as HTML and as text, with an unsubscribe link', () => {
    const mail = compose([
      text('title', 'Hello'),
      text('slug', 'hello'),
      text('intro', 'Two\nlines\n\nand <b>one</b>'),
      text('body', '<p>Read <a href="https://x.example/a">this</a></p><ul><li>One</li><li>Two</li></ul>'),
      { id: 'photo', type: 'MEDIA', value: { id: 'm', url: '/a.jpg', mimeType: 'image/jpeg' } },
      { id: 'film', type: 'MEDIA', value: [{ id: 'm', url: '/a.mp4', mimeType: 'video/mp4' }] },
      { id: 'count', type: 'NUMBER', value: 7 },
    ]);
    expect(mail.html).toContain('<h1 style="margin:0 0 20px;font-size:26px;line-height:1.25">Hello</h1>');
    expect(mail.html).toContain('Two<br>lines</p>');
    expect(mail.html).toContain('and &lt;b&gt;one&lt;/b&gt;');
    expect(mail.html).toContain('<p>Read <a href="https://x.example/a">this</a></p>');
    expect(mail.html).toContain('src="https://api.example/a.jpg"');
    expect(mail.html).not.toContain('a.mp4');
    expect(mail.html).toContain('Weekly · Tea &amp; Co');
    expect(mail.text).toBe(
      'Hello\n\nTwo\nlines\n\nand <b>one</b>\n\nRead this (https://x.example/a)\n- One\n- Two\n\n-- \nWeekly · Tea & Co\nUnsubscribe: {{unsubscribeUrl}}\n',
    );
  });

  it('escapes inserted values and expands placeholders once', () => {
    const content = compose([
      text('title', 'Dear {{ subscriberName }} of {{entry.place}}'),
      text('place', '<Vienna> {{unsubscribeUrl}}'),
      text(
        'body',
        '<p>{{subscriberName}} {{unknown}} {{entry.nothing}}</p><a href="{{unsubscribeUrl}}">out</a>',
      ),
    ]);
    const mail = personaliseNewsletterMail(content, to('<img src=x onerror=alert(1)> {{subscriberEmail}}'));
    expect(mail.html).toContain(
      'Dear &lt;img src=x onerror=alert(1)&gt; {{subscriberEmail}} of &lt;Vienna&gt;',
    );
    expect(mail.html).toContain('{{unknown}} {{entry.nothing}}');
    expect(mail.html).toContain('<a href="https://api.example/u?token=t&amp;x=1">out</a>');
    expect(mail.html).not.toContain('<img src=x');
    expect(mail.text).toContain('<img src=x onerror=alert(1)> {{subscriberEmail}}');
    expect(mail.text).toContain('Unsubscribe: https://api.example/u?token=t&x=1\n');
  });

  it('allows only unsubscribeUrl in link addresses and sanitises stored HTML', () => {
    const mail = personaliseNewsletterMail(
      compose([
        text('title', 'T'),
        text(
          'body',
          '<a href="{{subscriberName}}">x</a><img src="{{entry.title}}"><p onclick="x()">y</p><script>1</script>',
        ),
      ]),
      to('javascript:alert(1)'),
    );
    expect(mail.html).toContain('<a>x</a><img /><p>y</p>');
    expect(mail.html).not.toContain('javascript:');
  });

  it('uses the email for an empty name', () => {
    expect(personaliseNewsletterMail(compose([text('title', 'Hi {{subscriberName}}')]), to('')).subject).toBe(
      'Hi ada@x.example',
    );
  });
});

it.each([
  ['<p>a</p><p>b</p>', 'a\nb'],
  ['a&nbsp;&amp;&lt;b&gt;', 'a &<b>'],
  ['<h1>T</h1>\n\n\n\n<p>x<br>y</p>', 'T\n\nx\ny'],
  ['<a href="https://x.example">https://x.example</a>', 'https://x.example'],
])('%s as text is %j', (html, plain) => {
  expect(htmlToText(html)).toBe(plain);
});

it('truncates lines between characters', () => {
  expect(toSingleLine('😀😀😀', 2)).toBe('😀😀');
});

it('doubles the retry delay after each failure, up to 75 minutes with jitter', () => {
  expect([1, 2, 3, 20].map((attempts) => computeMailRetryDelayMs(attempts, 0.5))).toEqual([
    30_000, 60_000, 120_000, 3_600_000,
  ]);
  expect([computeMailRetryDelayMs(1, 0), computeMailRetryDelayMs(20, 1)]).toEqual([22_500, 4_500_000]);
});

it('limits the send rate', async () => {
  const waitForRate = createSendRateLimiter(100);
  const started = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => waitForRate()));
  expect(performance.now() - started).toBeGreaterThan(180);
});
