/** Workbench at `/workbench`: requests, errors, clients, webhooks, keys and limits of a business, over the public API with the visitor's own token. */
import type { Config } from '../../../config.ts';
import { demoShopIdsAndLogins } from '../../../seed/shop-data.ts';
import { renderPageFrame, safeHtml } from '../html-template-and-page-frame.ts';
import { createPageSecurityHeaders, createStaticFilePage, type HttpPageHandler } from '../http-page.ts';
import { createPageAsset } from '../page-assets.ts';
import { workbenchElementsScript } from './elements-and-api-calls-script.ts';
import { workbenchErrorsAndClientsScript } from './errors-and-clients-script.ts';
import { workbenchKeysAndLimitsScript } from './keys-and-limits-script.ts';
import { workbenchRequestsScript } from './requests-script.ts';
import { workbenchSendRequestAgainScript } from './send-request-again-script.ts';
import { workbenchSessionScript } from './session-script.ts';
import { workbenchShowRequestAsScript } from './show-request-as-script.ts';
import { workbenchWebhooksScript } from './webhooks-script.ts';
import { workbenchStyle } from './workbench-style.ts';

const script = createPageAsset(
  'workbench.js',
  'text/javascript; charset=utf-8',
  `(() => {\n${[
    workbenchElementsScript,
    workbenchShowRequestAsScript,
    workbenchSendRequestAgainScript,
    workbenchRequestsScript,
    workbenchErrorsAndClientsScript,
    workbenchWebhooksScript,
    workbenchKeysAndLimitsScript,
    workbenchSessionScript,
  ].join('')}})();\n`,
);

const style = createPageAsset('workbench.css', 'text/css; charset=utf-8', workbenchStyle);

const sections = [
  ['requests', 'Requests'],
  ['errors', 'Errors'],
  ['clients', 'Clients'],
  ['webhooks', 'Webhooks'],
  ['keys', 'Keys'],
  ['limits', 'Limits'],
] as const;

/** Payments, mails and text messages are captured: nothing leaves the gateway. */
const isSandbox = ({ sandbox, stripe, smtpUrl, sms }: Config) => sandbox && !stripe && !smtpUrl && !sms;

const page = (config: Config) =>
  renderPageFrame(
    { title: 'Workbench · Duet', at: '/workbench', styles: [style.href], scripts: [script.href] },
    safeHtml`<div class="sheet workbench" data-sandbox="${isSandbox(config) ? 'on' : 'off'}">
<h1>Workbench</h1>
<p class="lead">What your clients sent to the API of your business, what failed and why, and how to send it again.</p>
<noscript>The workbench needs JavaScript. Programs read the same data from the <a href="/docs#ListRequests">API</a>.</noscript>
<section id="sign-in" aria-labelledby="sign-in-name" hidden>
<h2 id="sign-in-name">Sign in</h2>
<div class="ways">
<form id="by-password"><h3>With your account</h3>
<label>Email address <input type="email" name="email" autocomplete="username" required></label>
<label>Password <input type="password" name="password" autocomplete="current-password" required></label>
<button class="main">Sign in</button></form>
<form id="by-token"><h3>With a token or key</h3>
<label>Access token or API key <input type="password" name="token" autocomplete="off" spellcheck="false" required></label>
<button class="main">Use it</button>
<p class="hint">It stays in this tab and is sent to this gateway only.</p></form>
</div>
${config.seedDemo && safeHtml`<p><button type="button" id="as-demo" data-business="${demoShopIdsAndLogins.businessId}" data-email="${demoShopIdsAndLogins.email}" data-password="${demoShopIdsAndLogins.password}">Sign in as the demo admin</button></p>`}
</section>
<p id="said" role="status"></p>
<section id="desk" aria-label="Data of the business" hidden>
<div class="tools"><label class="business">Business <select id="business"></select></label><label class="business" id="other-business" hidden>Id of the business <input name="businessId" autocomplete="off" spellcheck="false"></label><button type="button" id="leave">Sign out</button></div>
<nav class="tabs" aria-label="Sections">${sections.map(([name, title]) => safeHtml`<a href="#${name}">${title}</a>`)}</nav>
<div id="shown"></div>
</section>
</div>`,
  );

const file = ({ type, text }: typeof script) => createStaticFilePage(type, () => text, { immutable: true });

export const createWorkbenchPages = (config: Config): readonly [string, HttpPageHandler][] => [
  [
    '/workbench',
    createStaticFilePage('text/html; charset=utf-8', () => page(config), {
      headers: createPageSecurityHeaders(),
    }),
  ],
  [script.path, file(script)],
  [style.path, file(style)],
];
