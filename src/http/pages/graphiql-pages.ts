/** GraphiQL at `/graphql`, served from its npm package, with scripts and workers as same-origin files. */
import { createRequire } from 'node:module';
import type { Config } from '../../config.ts';
import { exampleOperations } from '../../generated/domains/examples.ts';
import { acceptsHtml } from '../../http-message.ts';
import { patchGraphiqlScript } from '../../vendor/graphiql/patch-script.ts';
import { apiTokenBarScript, createApiTokenBar } from './api-token-bar.ts';
import { renderPageFrame, safeHtml } from './html-template-and-page-frame.ts';
import { createPageSecurityHeaders, createStaticFilePage, type HttpPageHandler } from './http-page.ts';
import { createPageAsset, type PageAsset } from './page-assets.ts';
import { replaceDemoValuesByPlaceholders } from './replace-demo-values-by-placeholders.ts';

const require = createRequire(import.meta.url);
const { version }: { version: string } = require('@graphql-yoga/render-graphiql/package.json');

type GraphiqlBundle = typeof import('@graphql-yoga/render-graphiql/graphiql');

/** The package contains 9 MB of text, so it is imported when the page is opened first. */
const vendorFile = (
  name: string,
  type: string,
  part: keyof GraphiqlBundle,
  transform = (text: string) => text,
) => ({
  path: `/assets/graphiql/${name}`,
  href: `/assets/graphiql/${name}?v=${version}`,
  page: createStaticFilePage(
    type,
    async () => transform((await import('@graphql-yoga/render-graphiql/graphiql'))[part]),
    { immutable: true },
  ),
});

/** Removes the embedded fonts of other scripts than Latin, 330 KB; the browser falls back to system fonts. */
const removeNonLatinFonts = (css: string) =>
  css.replace(/@font-face\{[^}]*\}/g, (face) => (/unicode-range:(?!U\+0000)/.test(face) ? '' : face));

const javascript = 'text/javascript; charset=utf-8';
const vendor = {
  script: vendorFile('graphiql.js', javascript, 'js', patchGraphiqlScript),
  style: vendorFile('graphiql.css', 'text/css; charset=utf-8', 'css', removeNonLatinFonts),
  editor: vendorFile('editor.worker.js', javascript, 'editorWorkerService'),
  json: vendorFile('json.worker.js', javascript, 'jsonWorker'),
  graphql: vendorFile('graphql.worker.js', javascript, 'graphqlWorker'),
};

const exampleTabs = exampleOperations.map(({ query, variables }) => ({
  query,
  variables: JSON.stringify(variables, null, 2),
}));

/** Tabs on the visitor's shop, and on the demo shop if there is one. */
const tabsOfShops = ({ seedDemo }: Config) => ({
  ownShop: exampleTabs.map(({ query, variables }) => ({
    query,
    variables: replaceDemoValuesByPlaceholders(variables),
  })),
  ...(seedDemo ? { demoShop: exampleTabs } : {}),
});

const graphiqlOptions = {
  title: 'Duet GraphiQL',
  // Headers contain tokens, so they are not stored.
  shouldPersistHeaders: false,
};

const createStartScript = (config: Config) =>
  createPageAsset(
    'graphiql.js',
    javascript,
    `const workers = ${JSON.stringify({
      editorWorkerService: vendor.editor.href,
      json: vendor.json.href,
      graphql: vendor.graphql.href,
    })};
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
const options = ${JSON.stringify(graphiqlOptions)};
const { ownShop, demoShop } = ${JSON.stringify(tabsOfShops(config))};
(async () => {
const adapt = await duetSession.adapter();
// An operation on records that the shop does not have is left out.
options.defaultTabs = (duetSession.usesDemo && demoShop) || ownShop.map(({ query, variables }) => ({ query, variables: adapt(variables) }))
  .filter(({ variables }) => !variables.includes('YOUR_'));
// Stored tabs belong to one shop: for another shop, only the visitor's own operations remain.
const examples = JSON.stringify(options.defaultTabs);
if (localStorage.getItem('duet:example-tabs') !== examples) {
  const { tabs: stored = [] } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}');
  const isExample = (tab) => ownShop.some(({ query }) => query === tab.query);
  options.defaultTabs.push(...stored.filter((tab) => tab.query && !isExample(tab)).map(({ query, variables }) => ({ query, variables: variables ?? '' })));
  for (const part of ['tabState', 'query', 'variables', 'operationName']) localStorage.removeItem('graphiql:' + part);
  localStorage.setItem('duet:example-tabs', examples);
}
const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}');
const active = tabs?.[activeTabIndex];
// Links of other pages contain an operation in the fragment: it opens in a tab of its own.
const linked = new URLSearchParams(location.hash.slice(1));
if (linked.has('query')) {
  for (const part of ['query', 'variables']) options[part] = linked.get(part) ?? '';
  // Without stored tabs, GraphiQL opens the default tabs and ignores the query.
  options.defaultTabs.unshift({ query: options.query, variables: options.variables });
  history.replaceState(null, '', location.pathname);
}
// GraphiQL does not read the variables of the first default tab; with stored tabs, this option would add another tab.
else if (!active) options.variables = options.defaultTabs[0].variables;
// GraphiQL stores the tabs immediately, but the text of the active one only after an edit. Without this, a second visit would open an additional empty tab.
else if (localStorage.getItem('graphiql:query') === null)
  for (const part of ['query', 'variables']) localStorage.setItem('graphiql:' + part, active[part] ?? '');
const root = document.querySelector('#root');
// Accessibility: buttons inside role=tab are unreachable for screen readers, so the tabs become a list of buttons with aria-current.
const fixTabRoles = () => {
  for (const list of root.querySelectorAll('.graphiql-tabs[role]')) list.removeAttribute('role');
  for (const tab of root.querySelectorAll('.graphiql-tab[role],.graphiql-tab[aria-selected]')) {
    tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', tab.getAttribute('aria-selected') ?? 'false');
    tab.removeAttribute('role');
    tab.removeAttribute('aria-selected');
  }
};
new MutationObserver(fixTabRoles).observe(root, { childList: true, subtree: true, attributeFilter: ['role', 'aria-selected'] });
YogaGraphiQL.renderYogaGraphiQL(root, options);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => self.graphiqlActions?.setTheme(self.graphiqlTheme));
})();
`,
  );

const style = createPageAsset(
  'graphiql.css',
  'text/css; charset=utf-8',
  `html,body{height:100%}body{display:flex;flex-direction:column;overflow:hidden}
#content{flex:1;min-height:0}#root,#root>*,#root .graphiql-container{height:100%}#content>h1{position:absolute;left:-999px}
.graphiql-container .graphiql-tab{transform:none!important}
@media (max-width:48rem){.bar{padding:.4rem .8rem}.session{margin-left:0}.graphiql-logo{display:none}
#graphiql-session{flex-direction:column}#graphiql-session>div{min-height:0;min-width:0}.graphiql-editors{overflow:hidden}
#root .graphiql-container .graphiql-container{flex-direction:column-reverse}#root .graphiql-main{width:100%;flex:1;min-height:0}
#root .graphiql-sidebar{flex-direction:row;width:100%;padding:0 8px;overflow:auto hidden}#root .graphiql-sidebar>button:first-of-type{margin:0}
#root .graphiql-sessions{margin:8px 8px 0}#root .graphiql-editors{flex:3 1 0!important}#root .graphiql-response{flex:2 1 0!important}
#root .graphiql-main:has(>.graphiql-plugin:not([style*="-1000px"]))>.graphiql-sessions{display:none}
#root .graphiql-main>.graphiql-plugin:not([style*="-1000px"]){flex:1!important;width:auto}
#root .graphiql-main>.graphiql-horizontal-drag-bar,#graphiql-session>.graphiql-horizontal-drag-bar{display:none}}
.graphiql-logo span{color:#3b4254}
.graphiql-dark .graphiql-logo span{color:#dfe3ea}.graphiql-dark .monaco-editor .line-numbers,.graphiql-dark .monaco-editor .mtk8{color:#b3bcc8!important}
@media (prefers-color-scheme:dark){body:not(.graphiql-light) .graphiql-logo span{color:#dfe3ea}body:not(.graphiql-light) .monaco-editor .line-numbers,body:not(.graphiql-light) .monaco-editor .mtk8{color:#b3bcc8!important}}
`,
);

const page = (config: Config, startScript: PageAsset) =>
  renderPageFrame(
    {
      title: 'GraphiQL · Duet',
      at: '/graphql',
      styles: [vendor.style.href, style.href],
      scripts: [apiTokenBarScript.href, vendor.script.href, startScript.href],
      aside: createApiTokenBar(config),
    },
    safeHtml`<h1>GraphiQL</h1><div id="root"><noscript>GraphiQL needs JavaScript.</noscript></div>`,
  );

const trustedOnlyPage = () =>
  renderPageFrame(
    { title: 'GraphQL · Duet', at: '/graphql' },
    safeHtml`<div class="sheet"><h1>Trusted documents only</h1>
<p class="lead">This gateway runs registered GraphQL operations by their id, so GraphiQL is disabled. Send <code>{"documentId": "…", "variables": {…}}</code> by POST.</p></div>`,
  );

/** Serves the page only to requests that accept HTML: its URL may contain a query, as GraphQL over GET does. */
const onlyForBrowsers =
  (inner: HttpPageHandler): HttpPageHandler =>
  (request) =>
    acceptsHtml(request) ? inner(request) : undefined;

const file = ({ type, text }: PageAsset) => createStaticFilePage(type, () => text, { immutable: true });

export function createGraphiqlPages(config: Config): [string, HttpPageHandler][] {
  const type = 'text/html; charset=utf-8';
  if (config.trustedOnly)
    return [
      [
        '/graphql',
        onlyForBrowsers(
          createStaticFilePage(type, trustedOnlyPage, { headers: createPageSecurityHeaders() }),
        ),
      ],
    ];
  const startScript = createStartScript(config);
  // The Monaco editor creates style elements at runtime, and the stylesheet embeds fonts as data URLs.
  const headers = createPageSecurityHeaders({
    'style-src': "'self' 'unsafe-inline'",
    'worker-src': "'self'",
    'font-src': "'self' data:",
  });
  return [
    ['/graphql', onlyForBrowsers(createStaticFilePage(type, () => page(config, startScript), { headers }))],
    [startScript.path, file(startScript)],
    [style.path, file(style)],
    ...Object.values(vendor).map(({ path, page: asset }): [string, HttpPageHandler] => [path, asset]),
  ];
}
