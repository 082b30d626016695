/** Content pages: the list of the journal and one entry. */
import { businessId, locale } from '../config.ts';
import { JournalDocument, JournalEntryDocument } from '../generated/graphql.ts';
import { send } from '../lib/gateway.ts';
import { Html, html } from '../lib/html.ts';
import { notFound, type Page } from '../lib/page.ts';

export const journal: Page = async () => {
  const { entries } = await send(JournalDocument, { businessId, locale });
  return {
    title: 'Journal',
    body: html`<h1>Journal</h1><ul class="plain">${entries.nodes.map(
      ({ title, slug, summary }) =>
        html`<li><h2><a href="/journal/${slug?.text}">${title?.text}</a></h2><p>${summary?.text}</p></li>`,
    )}</ul>`,
  };
};

export const journalEntry: Page = async ({ slug }) => {
  const { entry } = await send(JournalEntryDocument, { businessId, locale, slug });
  if (!entry) return notFound;
  const [cover] = entry.cover?.asMedia ?? [];
  return {
    title: entry.title?.text ?? 'Journal',
    // The gateway sanitises rich text when it is written.
    body: html`<article><h1>${entry.title?.text}</h1>${cover && html`<img class="large" src="${cover.url}" alt="${cover.alt ?? ''}">`}
<div class="rich">${new Html(entry.body?.text ?? '')}</div></article><p><a href="/journal">All entries</a></p>`,
  };
};
