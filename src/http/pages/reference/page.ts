/** The REST reference: every operation of the contract, what it takes and answers, with a form that sends it. All of it is our own. */
import type { Config } from '../../../config.ts';
import { framed, markup } from '../html.ts';
import { ownFile } from '../own-files.ts';
import { fixedFile, type Page, pageHeaders } from '../page.ts';
import { sessionBar, sessionScript } from '../session.ts';
import { browseScript } from './browse.ts';
import { drawScript } from './draw.ts';
import { firstScript } from './first.ts';
import { referenceStyle } from './style.ts';
import { tryItScript } from './try-it.ts';

const script = ownFile(
  'reference.js',
  'text/javascript; charset=utf-8',
  `(() => {\n${drawScript}${firstScript}${tryItScript}${browseScript}})();\n`,
);

const style = ownFile('reference.css', 'text/css; charset=utf-8', referenceStyle);

const page = (config: Config) =>
  framed(
    {
      title: 'REST reference · Duet',
      at: '/docs',
      hasMain: true,
      styles: [style.href],
      scripts: [sessionScript.href, script.href],
      aside: sessionBar(config),
    },
    markup`<div class="reference">
<nav aria-label="Operations"><details id="menu" open><summary>Operations</summary>
<div class="search"><label for="search">Search, or press /</label><input id="search" type="search" autocomplete="off" spellcheck="false"></div>
<div id="operations"></div></details></nav>
<main id="operation"><noscript>The reference needs scripts. The contract itself is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript></main>
</div>`,
  );

const file = ({ type, text }: typeof script) => fixedFile(type, () => text, { immutable: true });

export const referencePages = (config: Config): readonly [string, Page][] => [
  ['/docs', fixedFile('text/html; charset=utf-8', () => page(config), { headers: pageHeaders() })],
  [script.path, file(script)],
  [style.path, file(style)],
];
