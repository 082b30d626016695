/** `/sandbox/outbox`: mails and text messages that the sandbox adapters captured instead of sending, with working links. */
import type { Services } from '../../context.ts';
import { listCapturedMessages } from '../../domains/shared/list-captured-messages.ts';
import type { OutboxMessage } from '../../generated/prisma/client.ts';
import { acceptsOnlyJson, htmlResponse, jsonResponse } from '../../http-message.ts';
import { createOperatorTokenGuard } from '../operator-token.ts';
import { type Html, renderPageFrame, safeHtml } from './html-template-and-page-frame.ts';
import { createPageSecurityHeaders, type HttpPageHandler } from './http-page.ts';

/** Mails contain inline styles, and their iframe inherits the policy of this page. */
const headers = {
  ...createPageSecurityHeaders({ 'style-src': "'self' 'unsafe-inline'" }),
  'cache-control': 'no-store',
};

/**
 * No page when both mails and text messages are really sent, or when the sandbox is off (production). The messages contain links that
 * sign in: in production with SANDBOX=allowed they need ADMIN_TOKEN, and without one there is no page.
 */
export function createSandboxOutboxPages(services: Services): [string, HttpPageHandler][] {
  const { config, db, mail, sms } = services;
  if (!config.sandbox || (!mail.embedded && !sms.embedded)) return [];
  if (config.production && config.adminToken === undefined) return [];
  const assertToken =
    config.production && config.adminToken !== undefined
      ? createOperatorTokenGuard(services, config.adminToken)
      : undefined;
  return [
    [
      '/sandbox/outbox',
      async (request) => {
        await assertToken?.(request, 'The outbox needs ADMIN_TOKEN as bearer token.');
        const messages = await listCapturedMessages(db);
        // JSON is for end-to-end tests that read the captured mails.
        return acceptsOnlyJson(request)
          ? jsonResponse(200, { items: messages.map(toJson) }, noStore)
          : htmlResponse(200, render(messages), headers);
      },
    ],
  ];
}

const noStore = { 'cache-control': 'no-store' };

const toJson = ({ id, kind, recipient, subject, text, html: rendered, createdAt }: OutboxMessage) => ({
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
    safeHtml`<div class="sheet"><h1>Outbox</h1>
${messages.length > 0 ? messages.map(renderMessage) : safeHtml`<p class="lead">No messages yet. Mails and text messages appear here about a second after the action that sends them.</p>`}
</div>`,
  );

function renderMessage({ kind, recipient, subject, text, html: rendered, createdAt }: OutboxMessage): Html {
  const sentAt = new Date(Number(createdAt) * 1000).toISOString();
  return safeHtml`<article class="message">
<h2>${subject ?? 'Text message'}</h2>
<p>${kind === 'MAIL' ? 'Mail' : 'Text'} to ${recipient}, <time datetime="${sentAt}">${sentAt.slice(0, 19).replace('T', ' ')} UTC</time></p>
<pre>${withLinks(text)}</pre>
${rendered && renderMail(rendered)}</article>
`;
}

/** The mail as a mail client renders it; the iframe sandbox disables scripts, forms and navigation. */
const renderMail = (rendered: string) =>
  safeHtml`<details class="rendered"><summary>As a mail client shows it</summary><iframe sandbox="" title="The mail" srcdoc="${rendered}"></iframe></details>`;

const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1 ? safeHtml`<a href="${part}" rel="noreferrer">${part}</a>` : part,
    );
