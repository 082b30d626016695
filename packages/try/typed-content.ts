/** Reads the journal of the demo shop with the types in `content.ts`, which `duet types` writes, and prints the results as JSON. Also a compile-time test. */
import { createClient } from '@duet-gateway/client-graphql';
import {
  ContentDriftError,
  defineCollection,
  findEntry,
  listEntries,
  selectFields,
} from '@duet-gateway/client-graphql/content';
import { LoginDocument } from '@duet-gateway/client-graphql/operations';
import { renderRichText, renderRichTextHtml, richTextToText } from '@duet-gateway/client-graphql/rich-text';
import { Journal } from './content.js';

const businessId = '01900000-0000-7000-8000-00000000000b';
const client = createClient({ url: process.env.DUET_URL ?? '' });
const { login } = await client.run(LoginDocument, { input: { provider: 'GUEST' } });
client.signIn(login.auth);

const fields = ['title', 'topic', 'publishedAt', 'minutes'] as const;
const first = await listEntries(client, Journal, { businessId, fields, first: 1, locale: 'de' });
const second = await listEntries(client, Journal, { businessId, first: 1, after: first.endCursor ?? '' });
const [post] = first.entries;
if (!post) throw new Error('The demo shop has no posts.');
const title: string = post.fields.title;
const topic: 'brewing' | 'origin' | 'people' | null = post.fields.topic;

const whole = await findEntry(client, Journal, { businessId, id: post.id });
const body = whole?.fields.body;
if (!body) throw new Error('The post has no body.');
interface ViewNode {
  tag: string;
  children: (ViewNode | string)[];
}
const elements = renderRichText<string, ViewNode>(
  body.tree,
  (tag, _properties, ...children) => ({ tag, children }),
  { p: 'section' },
);

// A document of one's own.
const selection = selectFields(Journal, ['title']);
const own = (await client.run(
  {
    toString: () =>
      `query Own($id: ID!, $b: ID!, $locale: String) { entry(businessId: $b, id: $id) { ${selection.text} } }`,
  },
  { id: post.id, b: businessId, locale: 'en' },
)) as { entry: object };

// Types that are older than the collection.
const Old = defineCollection<{ heading: string }>('journal', { heading: 'text!' });
const drift = await listEntries(client, Old, { businessId }).catch((error: unknown) => error);

/** Never called: each statement after a comment must be a compile error. */
export async function compileErrors(): Promise<void> {
  // @ts-expect-error The field is not requested.
  post?.fields.body;
  // @ts-expect-error The collection has no such block.
  await listEntries(client, Journal, { businessId, fields: ['heading'] });
  // @ts-expect-error The block is not required.
  whole?.fields.minutes.toFixed();
}

console.log(
  JSON.stringify({
    title,
    topic,
    publishedAt: post.fields.publishedAt instanceof Date,
    minutes: typeof post.fields.minutes,
    pages: [second.entries.length, second.entries[0]?.id !== post.id],
    html: renderRichTextHtml(body.tree) === body.html.replaceAll(' />', '>'),
    text: richTextToText(body.tree).length > 20,
    elements: elements.some((node) => typeof node !== 'string' && node.tag === 'section'),
    media: typeof whole?.fields.cover?.[0]?.url,
    author: whole?.fields.author?.__typename,
    place: typeof whole?.fields.place,
    own: selection.read(own.entry).title,
    missing: await findEntry(client, Journal, { businessId, id: 'no-such-post' }),
    drift: drift instanceof ContentDriftError,
  }),
);
