/** The REST reference: Swagger UI from its npm package, over our own description, without a CDN. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { framed, markup } from './html.ts';
import { ownFile } from './own-files.ts';
import { fixedFile, type Page, pageHeaders } from './page.ts';
import { sessionBar, sessionScript } from './session.ts';

const require = createRequire(import.meta.url);
const packagePath = require.resolve('swagger-ui-dist/package.json');
const { version } = JSON.parse(readFileSync(packagePath, 'utf8')) as { version: string };

const vendorFile = (name: string, type: string) => ({
  path: `/assets/swagger/${name}`,
  href: `/assets/swagger/${name}?v=${version}`,
  page: fixedFile(type, () => readFileSync(join(dirname(packagePath), name)), { immutable: true }),
});

const bundle = vendorFile('swagger-ui-bundle.js', 'text/javascript; charset=utf-8');
const vendorStyle = vendorFile('swagger-ui.css', 'text/css; charset=utf-8');

const start = ownFile(
  'reference.js',
  'text/javascript; charset=utf-8',
  `const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();
SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  // Its deep links put a link inside a button, which screen readers cannot reach.
  deepLinking: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  filter: true,
  validatorUrl: null,
});
`,
);

/** Swagger UI is made for white paper; in the dark it is shown on a sheet of it. */
const style = ownFile(
  'reference.css',
  'text/css; charset=utf-8',
  `#reference{background:#fff;color:#3b4151;min-height:70vh;color-scheme:light}
.swagger-ui .info{margin:2rem 0}
.swagger-ui .wrapper{padding:0 clamp(1rem,4vw,2.5rem)}
.swagger-ui .opblock-tag small,.swagger-ui .opblock .opblock-summary-description{color:#3b4151}
.swagger-ui a.link,.swagger-ui .info a{color:#0b5cab}
.swagger-ui .opblock.opblock-get .opblock-summary-method{background:#1f5f99}
.swagger-ui .opblock.opblock-post .opblock-summary-method{background:#1b6e45}
.swagger-ui .opblock.opblock-put .opblock-summary-method{background:#8a5300}
.swagger-ui .opblock.opblock-delete .opblock-summary-method{background:#a32020}
.swagger-ui .btn.authorize{color:#176b3a;border-color:#176b3a}
.swagger-ui .btn.authorize svg{fill:#176b3a}
.swagger-ui .parameter__name.required:after{color:#b00020}
.swagger-ui .parameter__name.required span,.swagger-ui .prop-format,.swagger-ui .parameter__in{color:#4a4a4a}
.swagger-ui .info .title small{background:#4a5257}.swagger-ui .info .title small.version-stamp{background:#2f6b00}
.swagger-ui .servers,.swagger-ui .servers-title{display:none}.swagger-ui .scheme-container{padding:0 0 1.2rem;box-shadow:none}
`,
);

const page = (config: Config) =>
  framed(
    {
      title: 'REST reference · Duet',
      at: '/docs',
      hasMain: true,
      styles: [vendorStyle.href, style.href],
      scripts: [sessionScript.href, bundle.href, start.href],
      aside: sessionBar(config),
    },
    markup`<div id="reference"><noscript>The reference needs scripts. The contract itself is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript></div>`,
  );

const file = ({ type, text }: typeof start) => fixedFile(type, () => text, { immutable: true });

export const referencePages = (config: Config): readonly [string, Page][] => [
  ['/docs', fixedFile('text/html; charset=utf-8', () => page(config), { headers: pageHeaders() })],
  [start.path, file(start)],
  [style.path, file(style)],
  [bundle.path, bundle.page],
  [vendorStyle.path, vendorStyle.page],
];
