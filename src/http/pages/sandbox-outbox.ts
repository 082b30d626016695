/** The sandbox outbox: mails and texts that the embedded ports kept instead of sending, with links that work. */

import type { Services } from '../../context.ts';
import { listCapturedMessages } from '../../domains/shared/captured-messages.ts';
import type { OutboxMessage } from '../../generated/prisma/client.ts';
import { type HttpRequest, htmlResponse, jsonResponse } from '../../http-message.ts';
import { type Html, markup, renderPageFrame } from './html.ts';
import { type HttpPage, pageHeaders } from './http-page.ts';

/** A mail brings its own styles, and its frame obeys the policy of the page around it. */
const headers = { ...pageHeaders({ 'style-src': "'self' 'unsafe-inline'" }), 'cache-control': 'no-store' };

/** There is no such page once both mails and texts go out into the world, nor where others could read it. */
export function sandboxOutboxPages({
  config,
  db,
  mail,
  sms,
}: Pick<Services, 'config' | 'db' | 'mail' | 'sms'>): [string, HttpPage][] {
  if (!config.sandbox || (!mail.embedded && !sms.embedded)) return [];
  return [
    [
      '/sandbox/outbox',
      async (request) => {
        const messages = await listCapturedMessages(db);
        return wantsJson(request)
          ? jsonResponse(200, { items: messages.map(asJson) }, noStore)
          : htmlResponse(200, render(messages), headers);
      },
    ],
  ];
}

const noStore = { 'cache-control': 'no-store' };

/** For end-to-end tests of frontends, which read the mails they cause. */
const wantsJson = (request: HttpRequest) => {
  const accept = request.header('accept') ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
};

const asJson = ({ id, kind, recipient, subject, text, html: rendered, createdAt }: OutboxMessage) => ({
  id,
  kind,
  to: recipient,
  ...(subject === null ? {} : { subject }),
  text,
  ...(rendered === null ? {} : { html: rendered }),
  createdAt: Number(createdAt),
});

const render = (messages: readonly OutboxMessage[]) =>
  renderPageFrame(
    { title: 'Outbox' },
    markup`<div class="sheet"><h1>Outbox</h1>
${messages.length > 0 ? messages.map(card) : markup`<p class="lead">Nothing was sent yet. Mails and texts appear here a moment after what causes them.</p>`}
</div>`,
  );

function card({ kind, recipient, subject, text, html: rendered, createdAt }: OutboxMessage): Html {
  const sent = new Date(Number(createdAt) * 1000).toISOString();
  return markup`<article class="message">
<h2>${subject ?? 'Text message'}</h2>
<p>${kind === 'MAIL' ? 'Mail' : 'Text'} to ${recipient}, <time datetime="${sent}">${sent.slice(0, 19).replace('T', ' ')} UTC</time></p>
<pre>${withLinks(text)}</pre>
${rendered && asMail(rendered)}</article>
`;
}

/** The mail as a mail client would show it; the sandbox keeps whatever is in it from doing anything. */
const asMail = (rendered: string) =>
  markup`<details class="rendered"><summary>As a mail client shows it</summary><iframe sandbox="" title="The mail" srcdoc="${rendered}"></iframe></details>`;

const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? markup`<a href="${part}" rel="noreferrer">${part}</a>` : part));
