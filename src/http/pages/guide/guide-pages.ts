/** The documentation at `/guide`. `npm run build` renders the documents to dist/guide; this file adds the frame, the menu and search. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonContentType } from '../../../http-message.ts';
import { packageRoot } from '../../../lib/package-info.ts';
import { Html, renderPageFrame, safeHtml } from '../html-template-and-page-frame.ts';
import { createPageSecurityHeaders, createStaticFilePage, type HttpPageHandler } from '../http-page.ts';
import { createPageAsset, type PageAsset, sharedPageAssets } from '../page-assets.ts';
import { guideScript } from './guide-script.ts';
import { guideStyle } from './guide-style.ts';

/** An entry of dist/guide/pages.json, which scripts/docs/guide.ts writes. */
interface GuidePage {
  path: string;
  kind: string;
  title: string;
  /** File with the rendered content. */
  file: string;
  outline: readonly { anchor: string; heading: string }[];
}

const kinds = [
  ['tutorials', 'Tutorials'],
  ['how-to', 'How-to'],
  ['reference', 'Reference'],
  ['explanation', 'Explanation'],
  ['project', 'Project'],
] as const;

const folder = join(packageRoot, 'dist', 'guide');
const style = createPageAsset('guide.css', 'text/css; charset=utf-8', guideStyle);
const script = createPageAsset('guide.js', 'text/javascript; charset=utf-8', guideScript);

const link = ({ path, title }: GuidePage, current: string) =>
  safeHtml`<li><a href="${path}"${path === current ? new Html(' aria-current="page"') : ''}>${title}</a></li>`;

function renderMenu(pages: readonly GuidePage[], current: string): Html {
  const groups = kinds
    .map(([kind, name]) => [kind, name, pages.filter((page) => page.kind === kind)] as const)
    .filter(([, , members]) => members.length > 0);
  return safeHtml`<nav aria-label="Contents"><details id="menu" open><summary>Contents</summary>
<div class="search" hidden><label for="search">Search, or press /</label><input id="search" type="search" autocomplete="off" spellcheck="false"></div>
<p id="found" role="status"></p><ol id="results" hidden></ol>
<div id="contents"><ul><li><a href="/guide"${current === '/guide' ? new Html(' aria-current="page"') : ''}>All pages</a></li></ul>${groups.map(
    ([kind, name, members]) =>
      safeHtml`<div class="group"><h2 id="kind-${kind}">${name}</h2><ul aria-labelledby="kind-${kind}">${members.map((page) => link(page, current))}</ul></div>`,
  )}</div></details></nav>`;
}

const renderOutline = ({ outline }: GuidePage) =>
  outline.length > 1 &&
  safeHtml`<nav class="outline" aria-label="On this page"><details id="outline"><summary>On this page</summary><ul>${outline.map(
    ({ anchor, heading }) => safeHtml`<li><a href="#${anchor}">${heading}</a></li>`,
  )}</ul></details></nav>`;

function renderPage(pages: readonly GuidePage[], page: GuidePage): string {
  const content = new Html(readFileSync(join(folder, page.file), 'utf8'));
  const kindName = kinds.find(([kind]) => kind === page.kind)?.[1];
  return renderPageFrame(
    {
      title: `${page.title} · Duet`,
      at: '/guide',
      hasMain: true,
      styles: [style.href],
      scripts: [sharedPageAssets.copy.href, script.href],
    },
    safeHtml`<div class="guide">${renderMenu(pages, page.path)}
<main id="page">${kindName !== undefined && safeHtml`<p class="kind">${kindName}</p>`}<h1>${page.title}</h1>
${content}</main>
${renderOutline(page)}</div>`,
  );
}

const asset = ({ path, type, text }: PageAsset): [string, HttpPageHandler] => [
  path,
  createStaticFilePage(type, () => text, { immutable: true }),
];

/** Pages by path. Each is rendered on its first request. None if the guide was not built. */
export function createGuidePages(): readonly [string, HttpPageHandler][] {
  const index = join(folder, 'pages.json');
  if (!existsSync(index)) return [];
  const pages = JSON.parse(readFileSync(index, 'utf8')) as GuidePage[];
  const headers = createPageSecurityHeaders();
  return [
    ...pages.map((page): [string, HttpPageHandler] => [
      page.path,
      createStaticFilePage('text/html; charset=utf-8', () => renderPage(pages, page), { headers }),
    ]),
    [
      '/guide/search.json',
      createStaticFilePage(jsonContentType, () => readFileSync(join(folder, 'search.json'))),
    ],
    asset(style),
    asset(script),
  ];
}
