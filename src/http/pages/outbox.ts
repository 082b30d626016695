/** The sandbox outbox: mails and texts that the embedded ports kept instead of sending, with links that work. */
import { listOutbox } from '../../domains/shared/outbox.ts';
import type { OutboxMessage } from '../../generated/prisma/client.ts';
import type { Services } from '../../graphql/context.ts';
import { escapeHtml } from '../../lib/html.ts';
import type { Page } from './page.ts';
import { page } from './plain.ts';

/** There is no such page once both mails and texts go out into the world. */
export function outboxPages({ db, mail, sms }: Pick<Services, 'db' | 'mail' | 'sms'>): [string, Page][] {
  if (!mail.embedded && !sms.embedded) return [];
  return [
    [
      '/sandbox/outbox',
      async () => {
        const messages = await listOutbox(db);
        return page({ title: 'Outbox', body: messages.length > 0 ? messages.map(card).join('\n') : empty });
      },
    ],
  ];
}

const empty = `<p class="card">Nothing was sent yet. Mails and texts appear here a moment after what causes them.</p>`;

function card({ kind, recipient, subject, text, html, createdAt }: OutboxMessage): string {
  const sent = new Date(Number(createdAt) * 1000).toISOString();
  // The mail as a mail client would show it; the sandbox keeps whatever is in it from doing anything.
  const asMail = html
    ? `<details><summary class="soft">As a mail client shows it</summary><iframe sandbox="" title="The mail" srcdoc="${escapeHtml(html)}"></iframe></details>`
    : '';
  return `<article class="card">
<h2>${escapeHtml(subject ?? 'Text message')}</h2>
<p class="soft">${kind === 'MAIL' ? 'Mail' : 'Text'} to ${escapeHtml(recipient)}, <time datetime="${sent}">${sent}</time></p>
<pre>${withLinks(text)}</pre>
${asMail}</article>`;
}

const withLinks = (text: string) =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1
        ? `<a href="${escapeHtml(part)}" rel="noreferrer">${escapeHtml(part)}</a>`
        : escapeHtml(part),
    )
    .join('');
