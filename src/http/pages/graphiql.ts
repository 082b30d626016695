/** GraphiQL for browsers at `/graphql`, from its npm package, with its scripts and workers as files of our own. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { examples } from '../../generated/domains/examples.ts';
import { framed, markup } from './html.ts';
import { own, ownFile } from './own-files.ts';
import { fixedFile, type Page, pageHeaders } from './page.ts';

const require = createRequire(import.meta.url);
const packagePath = require.resolve('@graphql-yoga/render-graphiql').replace(/\/cjs\/.*$/, '/package.json');
const { version } = JSON.parse(readFileSync(packagePath, 'utf8')) as { version: string };

type Parts = typeof import('@graphql-yoga/render-graphiql/graphiql');

/** Nine megabytes of text: only for those who open the page. */
const vendorFile = (name: string, type: string, part: keyof Parts) => ({
  path: `/assets/graphiql/${name}`,
  href: `/assets/graphiql/${name}?v=${version}`,
  page: fixedFile(type, async () => (await import('@graphql-yoga/render-graphiql/graphiql'))[part], {
    immutable: true,
  }),
});

const javascript = 'text/javascript; charset=utf-8';
const vendor = {
  script: vendorFile('graphiql.js', javascript, 'js'),
  style: vendorFile('graphiql.css', 'text/css; charset=utf-8', 'css'),
  editor: vendorFile('editor.worker.js', javascript, 'editorWorkerService'),
  json: vendorFile('json.worker.js', javascript, 'jsonWorker'),
  graphql: vendorFile('graphql.worker.js', javascript, 'graphqlWorker'),
};

const tabs = examples.map(({ query, variables }) => ({
  query,
  variables: JSON.stringify(variables, null, 2),
  headers: '{"Authorization": "Bearer <access token>"}',
}));

const options = {
  title: 'Duet GraphiQL',
  headers: tabs[0]?.headers,
  // It takes the first tab's query from the tabs, but not its variables.
  variables: tabs[0]?.variables,
  defaultTabs: tabs,
  // Headers, and with them tokens, are not kept when the tab is closed.
  shouldPersistHeaders: false,
};

const start = ownFile(
  'graphiql.js',
  javascript,
  `const workers = ${JSON.stringify({
    editorWorkerService: vendor.editor.href,
    json: vendor.json.href,
    graphql: vendor.graphql.href,
  })};
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${JSON.stringify(options)});
`,
);

const style = ownFile(
  'graphiql.css',
  'text/css; charset=utf-8',
  `html,body,main,#root{height:100%;margin:0}body{overflow:hidden}h1{position:absolute;left:-999px}
.graphiql-logo span{color:#3b4254}
.graphiql-dark .graphiql-logo span{color:#dfe3ea}.graphiql-dark .monaco-editor .line-numbers,.graphiql-dark .monaco-editor .mtk8{color:#b3bcc8!important}
@media (prefers-color-scheme:dark){body:not(.graphiql-light) .graphiql-logo span{color:#dfe3ea}body:not(.graphiql-light) .monaco-editor .line-numbers,body:not(.graphiql-light) .monaco-editor .mtk8{color:#b3bcc8!important}}
`,
);

const page = () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL · Duet</title>
<link rel="icon" href="${own.icon.href}" type="image/svg+xml">
<link rel="stylesheet" href="${vendor.style.href}">
<link rel="stylesheet" href="${style.href}">
</head>
<body>
<main><h1>GraphiQL</h1><div id="root"><noscript>GraphiQL needs scripts.</noscript></div></main>
<script src="${vendor.script.href}"></script>
<script src="${start.href}"></script>
</body>
</html>
`;

const closedPage = () =>
  framed(
    { title: 'GraphQL · Duet', at: '/graphql' },
    markup`<div class="sheet"><h1>Trusted documents only</h1>
<p class="lead">This gateway runs registered GraphQL operations by their id, so there is nothing to explore here. Send <code>{"documentId": "…", "variables": {…}}</code> by POST.</p></div>`,
  );

/** GraphiQL keeps the query in its address: whoever asks for HTML means the page. */
const forBrowsers =
  (inner: Page): Page =>
  (request) =>
    request.header('accept')?.includes('text/html') ? inner(request) : undefined;

const file = ({ type, text }: typeof start) => fixedFile(type, () => text, { immutable: true });

export function graphiqlPages(trustedOnly: boolean): [string, Page][] {
  const type = 'text/html; charset=utf-8';
  if (trustedOnly)
    return [['/graphql', forBrowsers(fixedFile(type, closedPage, { headers: pageHeaders() }))]];
  // Its editor makes style elements as it goes, and its fonts are part of its style.
  const headers = pageHeaders({
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "'self'",
    'font-src': "'self' data:",
  });
  return [
    ['/graphql', forBrowsers(fixedFile(type, page, { headers }))],
    [start.path, file(start)],
    [style.path, file(style)],
    ...Object.values(vendor).map(({ path, page: asset }): [string, Page] => [path, asset]),
  ];
}
