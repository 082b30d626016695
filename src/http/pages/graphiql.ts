/** GraphiQL for browsers at `/graphql`, from its npm package, with its scripts and workers as files of our own. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Config } from '../../config.ts';
import { examples } from '../../generated/domains/examples.ts';
import { ownFile } from './assets.ts';
import { demoSessionBar, demoSessionScript } from './demo-session.ts';
import { markup, renderPageFrame } from './html.ts';
import { type HttpPage, pageHeaders, staticFile } from './http-page.ts';

const require = createRequire(import.meta.url);
const packagePath = require.resolve('@graphql-yoga/render-graphiql').replace(/\/cjs\/.*$/, '/package.json');
const { version } = JSON.parse(readFileSync(packagePath, 'utf8')) as { version: string };

type Parts = typeof import('@graphql-yoga/render-graphiql/graphiql');

/** Nine megabytes of text: only for those who open the page. */
const vendorFile = (name: string, type: string, part: keyof Parts, changed = (text: string) => text) => ({
  path: `/assets/graphiql/${name}`,
  href: `/assets/graphiql/${name}?v=${version}`,
  page: staticFile(
    type,
    async () => changed((await import('@graphql-yoga/render-graphiql/graphiql'))[part]),
    {
      immutable: true,
    },
  ),
});

/** Its style holds fonts for every script there is: a third of a megabyte. Latin stays, the others are the system's. */
const latinFonts = (css: string) =>
  css.replace(/@font-face\{[^}]*\}/g, (face) => (/unicode-range:(?!U\+0000)/.test(face) ? '' : face));

/** Its editors ask but once whether it is dark, and nothing outside reaches them: this lets us have the theme set again. */
const followingTheme = (script: string) =>
  script.replace(
    /(\w+\?\.editor\.setTheme\(\w+\),\w+\(\{theme:(\w+),monacoTheme:\w+\}\))/,
    '$1,this&&(self.graphiqlActions=this),self.graphiqlTheme=$2',
  );

const javascript = 'text/javascript; charset=utf-8';
const vendor = {
  script: vendorFile('graphiql.js', javascript, 'js', followingTheme),
  style: vendorFile('graphiql.css', 'text/css; charset=utf-8', 'css', latinFonts),
  editor: vendorFile('editor.worker.js', javascript, 'editorWorkerService'),
  json: vendorFile('json.worker.js', javascript, 'jsonWorker'),
  graphql: vendorFile('graphql.worker.js', javascript, 'graphqlWorker'),
};

const tabs = examples.map(({ query, variables }) => ({
  query,
  variables: JSON.stringify(variables, null, 2),
}));

const options = {
  title: 'Duet GraphiQL',
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
const options = ${JSON.stringify(options)};
const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}');
const active = tabs?.[activeTabIndex];
// It takes the first tab's query from the tabs, but not its variables; with tabs from before, they would make one more.
if (!active) options.variables = options.defaultTabs[0].variables;
// It keeps the tabs at once, but what the open one says only when somebody writes in it: whoever came to look would find an empty one more.
else if (localStorage.getItem('graphiql:query') === null)
  for (const part of ['query', 'variables']) localStorage.setItem('graphiql:' + part, active[part] ?? '');
const root = document.querySelector('#root');
// Its tabs hold buttons, which screen readers cannot reach inside a tab: they are a list of buttons, of which one is current.
const mend = () => {
  for (const list of root.querySelectorAll('.graphiql-tabs[role]')) list.removeAttribute('role');
  for (const tab of root.querySelectorAll('.graphiql-tab[role],.graphiql-tab[aria-selected]')) {
    tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', tab.getAttribute('aria-selected') ?? 'false');
    tab.removeAttribute('role');
    tab.removeAttribute('aria-selected');
  }
};
new MutationObserver(mend).observe(root, { childList: true, subtree: true, attributeFilter: ['role', 'aria-selected'] });
YogaGraphiQL.renderYogaGraphiQL(root, options);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => self.graphiqlActions?.setTheme(self.graphiqlTheme));
`,
);

const style = ownFile(
  'graphiql.css',
  'text/css; charset=utf-8',
  `html,body{height:100%}body{display:flex;flex-direction:column;overflow:hidden}
#content{flex:1;min-height:0}#root{height:100%}#root>*{height:100%}#content>h1{position:absolute;left:-999px}
.graphiql-container .graphiql-tab{transform:none!important}
@media (max-width:48rem){.bar{padding:.4rem .8rem}.session{margin-left:0}.graphiql-logo{display:none}
#graphiql-session{flex-direction:column}#graphiql-session>div{min-height:0;min-width:0}.graphiql-editors{overflow:hidden}
.graphiql-container .graphiql-sidebar,#graphiql-session>.graphiql-horizontal-drag-bar{display:none}}
.graphiql-logo span{color:#3b4254}
.graphiql-dark .graphiql-logo span{color:#dfe3ea}.graphiql-dark .monaco-editor .line-numbers,.graphiql-dark .monaco-editor .mtk8{color:#b3bcc8!important}
@media (prefers-color-scheme:dark){body:not(.graphiql-light) .graphiql-logo span{color:#dfe3ea}body:not(.graphiql-light) .monaco-editor .line-numbers,body:not(.graphiql-light) .monaco-editor .mtk8{color:#b3bcc8!important}}
`,
);

const page = (config: Config) =>
  renderPageFrame(
    {
      title: 'GraphiQL · Duet',
      at: '/graphql',
      styles: [vendor.style.href, style.href],
      scripts: [demoSessionScript.href, vendor.script.href, start.href],
      aside: demoSessionBar(config),
    },
    markup`<h1>GraphiQL</h1><div id="root"><noscript>GraphiQL needs scripts.</noscript></div>`,
  );

const closedPage = () =>
  renderPageFrame(
    { title: 'GraphQL · Duet', at: '/graphql' },
    markup`<div class="sheet"><h1>Trusted documents only</h1>
<p class="lead">This gateway runs registered GraphQL operations by their id, so there is nothing to explore here. Send <code>{"documentId": "…", "variables": {…}}</code> by POST.</p></div>`,
  );

/** GraphiQL keeps the query in its address: whoever asks for HTML means the page. */
const forBrowsers =
  (inner: HttpPage): HttpPage =>
  (request) =>
    request.header('accept')?.includes('text/html') ? inner(request) : undefined;

const file = ({ type, text }: typeof start) => staticFile(type, () => text, { immutable: true });

export function graphiqlPages(config: Config): [string, HttpPage][] {
  const type = 'text/html; charset=utf-8';
  if (config.trustedOnly)
    return [['/graphql', forBrowsers(staticFile(type, closedPage, { headers: pageHeaders() }))]];
  // Its editor makes style elements as it goes, and its fonts are part of its style.
  const headers = pageHeaders({
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "'self'",
    'font-src': "'self' data:",
  });
  return [
    ['/graphql', forBrowsers(staticFile(type, () => page(config), { headers }))],
    [start.path, file(start)],
    [style.path, file(style)],
    ...Object.values(vendor).map(({ path, page: asset }): [string, HttpPage] => [path, asset]),
  ];
}
