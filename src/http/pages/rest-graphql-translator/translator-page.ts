/** Page `/migrate`: form for a REST request, and its operation, variables, client code and field origins. Works without scripts. */
import { Kind, parse, print } from 'graphql';
import type { Config } from '../../../config.ts';
import { listFieldOrigins, type ResponseFieldOrigin } from '../../../rest/translation/field-origins.ts';
import { formatClientCode, formatGraphqlCurl } from '../../../rest/translation/format-client-code.ts';
import { containsShellVariables } from '../../../rest/translation/shell-variables.ts';
import type { RestRequest, TranslatedRequest } from '../../../rest/translation/translate-request.ts';
import { demoShopIdsAndLogins } from '../../../seed/shop-data.ts';
import { Html, renderPageFrame, safeHtml } from '../html-template-and-page-frame.ts';
import { createPageAsset, sharedPageAssets } from '../page-assets.ts';
import { replaceDemoValuesByPlaceholders } from '../replace-demo-values-by-placeholders.ts';

export const translatorStyle = createPageAsset(
  'migrate.css',
  'text/css; charset=utf-8',
  `.migrate form{display:grid;gap:.6rem;margin:1.6rem 0 0;justify-items:start}
.migrate label{font-weight:600}
.migrate textarea{width:100%;min-height:9rem;font:.9rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;padding:.7rem .8rem;border:1px solid var(--soft);border-radius:8px;background:var(--card);color:var(--ink);resize:vertical}
.migrate textarea:focus-visible,.migrate summary:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.migrate .main{background:var(--accent);border-color:var(--accent);color:var(--accent-ink);font-weight:600;padding:.45rem 1.2rem}
.migrate .error{border:1px solid var(--warn);background:var(--warn-paper);border-radius:8px;padding:.6rem .9rem;margin:1rem 0 0}
.migrate details.call{margin:1.6rem 0 0;border-top:1px solid var(--line);padding-top:1rem}
.migrate details.call>summary{cursor:pointer;font-weight:600;overflow-wrap:anywhere}
.migrate summary h2{display:inline;margin:0;font-size:1.05rem}
.migrate .voices{margin-top:1rem;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr))}
.migrate .voice:first-child{grid-column:auto}
.migrate .voice pre{max-height:24rem;overflow:auto;height:auto}
.migrate code{overflow-wrap:anywhere}
.migrate .actions{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;margin:.8rem 0 0}
.migrate .origins{width:100%;border-collapse:collapse;font-size:.9rem;background:var(--card);border:1px solid var(--line)}
.migrate .origins th,.migrate .origins td{text-align:left;vertical-align:top;padding:.35rem .7rem;border-top:1px solid var(--line);overflow-wrap:anywhere}
.migrate .origins thead th{border-top:0}
.migrate h3{font-size:1rem;margin:1.6rem 0 .5rem}.migrate .voice h3{margin:0}
.migrate .hint{color:var(--soft);margin:.3rem 0 0}
@media (max-width:40rem){.migrate .origins thead{position:absolute;left:-999px}.migrate .origins,.migrate .origins tbody,.migrate .origins tr,.migrate .origins td,.migrate .origins th{display:block;border:0}.migrate .origins tr{border-top:1px solid var(--line);padding:.4rem 0}.migrate .origins td::before{content:attr(data-label) ": ";color:var(--soft)}.migrate .origins th,.migrate .origins td{padding:.05rem .7rem}.migrate .origins td:empty{display:none}}
`,
);

function exampleText({ publicUrl, seedDemo }: Config): string {
  const text = `curl '${publicUrl}/v1/businesses/${demoShopIdsAndLogins.businessId}/products?limit=3&inStock=true' \\
  -H "Authorization: Bearer $TOKEN"`;
  return seedDemo ? text : replaceDemoValuesByPlaceholders(text);
}

export interface TranslatorPageContent {
  /** Text of the form. */
  text: string;
  results: readonly { request: RestRequest; translated: TranslatedRequest | undefined }[];
  error: string | undefined;
}

/** URL of GraphiQL with the operation and its variables in the fragment, which browsers do not send to servers. */
export function buildGraphiqlHref({ document, variables }: TranslatedRequest): string {
  const { definitions } = parse(document, { noLocation: true });
  // The operation first, because GraphiQL shows the beginning of the text.
  const [operations, fragments] = [true, false].map((isOperation) =>
    definitions.filter(({ kind }) => (kind === Kind.OPERATION_DEFINITION) === isOperation),
  );
  const query = print({ kind: Kind.DOCUMENT, definitions: [...(operations ?? []), ...(fragments ?? [])] });
  return `/graphql#${new URLSearchParams({ query, variables: JSON.stringify(variables, null, 2) })}`;
}

export function renderTranslatorPage(
  config: Config,
  { text, results, error }: TranslatorPageContent,
): string {
  return renderPageFrame(
    {
      title: 'REST to GraphQL · Duet',
      at: '/migrate',
      styles: [translatorStyle.href],
      scripts: [sharedPageAssets.copy.href],
    },
    safeHtml`<div class="sheet migrate">
<h1>From REST to GraphQL</h1>
<p class="lead">Paste a REST call. Every route runs a stored GraphQL operation: you see that operation, its variables, typed client code, and the origin of each field of the response. Nothing is sent or stored.</p>
<form method="post" action="/migrate">
<label for="request">curl commands, HAR file, or request line with body</label>
<textarea id="request" name="request" required spellcheck="false" autocapitalize="off" autocomplete="off">${text === '' ? exampleText(config) : text}</textarea>
<button class="main">Translate</button>
</form>
<p class="hint">To migrate a whole client, use <code>npx @duet-gateway/migrate</code>; to compare recorded traffic in both protocols, <code>duet replay</code>. The <a href="/guide/tutorials/migrating-from-rest">guide</a> has the steps.</p>
${error !== undefined && safeHtml`<p class="error" role="alert">${error}</p>`}
${results.map(({ request, translated }, index) => renderCall(config, request, translated, index))}
</div>`,
  );
}

function renderCall(
  config: Config,
  { method, path }: RestRequest,
  translated: TranslatedRequest | undefined,
  index: number,
): Html {
  const name = translated?.parsedRoute.route.operation.name ?? 'no operation';
  return safeHtml`<details class="call"${index === 0 && new Html(' open')}><summary><h2><code>${method} ${path}</code> → ${name}</h2></summary>
${translated ? renderTranslation(config, translated, index) : safeHtml`<p class="error">No route of this gateway matches this call, so that there is no operation to replace it with.</p>`}
</details>`;
}

function renderTranslation(config: Config, translated: TranslatedRequest, index: number): Html {
  const { parsedRoute, document, documentId, variables } = translated;
  const parts = [
    ['operation', 'Operation', document],
    ['variables', 'Variables', JSON.stringify(variables, null, 2)],
    ['client', 'TypeScript', formatClientCode(translated)],
    ['curl', 'curl', formatGraphqlCurl(translated)],
  ] as const;
  return safeHtml`${renderErrors(translated)}
<p class="actions">${!config.trustedOnly && safeHtml`<a href="${buildGraphiqlHref(translated)}">Open in GraphiQL</a> `}<span>${
    documentId !== undefined
      ? safeHtml`Stored operation, document id <code>${documentId}</code>`
      : safeHtml`The operation of the route, reduced to <code>?fields=</code>`
  }</span></p>
<div class="voices">${parts.map(([part, title, text]) => renderCode(`${part}-${index}`, title, text))}</div>
${renderNotes(translated)}
${renderOrigins(listFieldOrigins(parsedRoute), index)}`;
}

const renderCode = (id: string, title: string, text: string) =>
  safeHtml`<div class="voice"><div class="name"><h3 id="${id}-name">${title}</h3><button type="button" hidden data-copy="${id}" aria-label="Copy: ${title}">Copy</button></div><pre tabindex="0" aria-labelledby="${id}-name" role="region"><code id="${id}">${text}</code></pre></div>`;

const renderErrors = ({ errors }: TranslatedRequest) =>
  errors.length > 0 &&
  safeHtml`<div class="error"><p>Both protocols reject this request:</p><ul>${errors.map(({ field, message }) => safeHtml`<li><code>${field}</code>: ${message}</li>`)}</ul></div>`;

function renderNotes({ parsedRoute: { route }, ignoredFields, variables }: TranslatedRequest) {
  const notes = [
    containsShellVariables(variables) &&
      'Variables of the shell, such as $B, are read from the environment. Assign them in the pasted text to see their values.',
    variables.version !== undefined && 'If-Match is the variable $version.',
    ignoredFields.length > 0 &&
      `REST ignores these fields of the body, and the variables omit them: ${ignoredFields.join(', ')}.`,
    'list' in route.response && 'For the next page, pass pageInfo.endCursor as $after.',
    'REST omits fields that are null; GraphQL returns null.',
  ].filter((note) => note !== false);
  return safeHtml`<h3>Differences</h3><ul>${notes.map((note) => safeHtml`<li>${note}</li>`)}</ul>`;
}

function renderOrigins(origins: readonly ResponseFieldOrigin[], index: number): Html {
  if (origins.length === 0)
    return safeHtml`<p>REST returns <code>{"success": true}</code> when the operation has no error.</p>`;
  return safeHtml`<h3 id="origins-${index}">Origins of the response fields</h3>
<table class="origins" aria-labelledby="origins-${index}"><thead><tr><th scope="col">REST</th><th scope="col">GraphQL data</th><th scope="col">Schema</th><th scope="col">Note</th></tr></thead>
<tbody>${origins.map(renderOrigin)}</tbody></table>`;
}

const renderOrigin = ({ rest, graphql, coordinate, type, deprecation, note }: ResponseFieldOrigin) =>
  safeHtml`<tr><th scope="row"><code>${rest}</code></th><td data-label="GraphQL data"><code>${graphql}</code></td><td data-label="Schema"><code>${coordinate}: ${type}</code></td><td data-label="Note">${[note, deprecation && `Deprecated in GraphQL. ${deprecation}`].filter(Boolean).join(' ')}</td></tr>\n`;
