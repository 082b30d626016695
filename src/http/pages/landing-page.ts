/** Landing page: links, service status, and a first request or the steps to an own shop. */
import type { Config } from '../../config.ts';
import { htmlResponse } from '../../http-message.ts';
import { demoShopIdsAndLogins } from '../../seed/shop-data.ts';
import { isDemoStorefrontBuilt } from './demo-storefront-routes.ts';
import { renderPageFrame, safeHtml } from './html-template-and-page-frame.ts';
import { createPageSecurityHeaders, type HttpPageHandler } from './http-page.ts';
import { sharedPageAssets } from './page-assets.ts';

/** Status of the external services for the landing page: embedded or connected. */
interface ServiceBackend {
  name: string;
  embedded: boolean;
  /** The implementation in use, and which variable connects the real service. */
  text: string;
  /** Page that shows the data of an embedded service. */
  link?: string;
}

function listServiceBackends(config: Config): ServiceBackend[] {
  return [
    config.databaseUrl
      ? { name: 'Database', embedded: false, text: 'PostgreSQL.' }
      : {
          name: 'Database',
          embedded: true,
          text: `PGlite in ${config.dataDir}. Set DATABASE_URL for PostgreSQL.`,
        },
    config.smtpUrl
      ? { name: 'Mail', embedded: false, text: 'SMTP.' }
      : {
          name: 'Mail',
          embedded: true,
          text: 'Captured in the outbox. Set SMTP_URL to send mail.',
          link: '/sandbox/outbox',
        },
    config.sms
      ? {
          name: 'Text messages',
          embedded: false,
          text: config.sms.kind === 'twilio' ? 'Twilio.' : 'Webhook.',
        }
      : {
          name: 'Text messages',
          embedded: true,
          text: 'Captured in the outbox. Set SMS_WEBHOOK_URL or TWILIO_* to send them.',
          link: '/sandbox/outbox',
        },
    config.stripe
      ? { name: 'Payments', embedded: false, text: 'Stripe.' }
      : { name: 'Payments', embedded: true, text: 'Sandbox payment page. Set STRIPE_* to accept payments.' },
    config.llm
      ? { name: 'Text generation', embedded: false, text: config.llm.model }
      : {
          name: 'Text generation',
          embedded: true,
          text: 'Built-in templates. Set LLM_* for a language model.',
        },
  ];
}

interface LandingPageOptions {
  config: Config;
  /** Whether the gateway is ready to serve. */
  isReady(): Promise<boolean>;
}

export function createLandingPage({ config, isReady }: LandingPageOptions): HttpPageHandler {
  return async () =>
    htmlResponse(200, render(config, await isReady()), {
      ...createPageSecurityHeaders(),
      'cache-control': 'no-store',
    });
}

type Card = readonly [path: string, name: string, text: string];

const demoCard: Card = ['/demo', 'Demo shop', 'A shop to click on: search, cart, checkout, an account.'];
const outboxCard: Card = ['/sandbox/outbox', 'Outbox', 'Mails and text messages that were captured.'];

const listCards = (config: Config): Card[] => [
  ...(isDemoStorefrontBuilt(config) ? [demoCard] : []),
  ['/graphql', 'GraphQL', 'The schema itself. In a browser: GraphiQL, with examples to run.'],
  ['/docs', 'REST reference', 'Every route of /v1, with forms to try them.'],
  ['/workbench', 'Workbench', 'The requests of your clients, with errors, deliveries and replay.'],
  ['/guide', 'Guide', 'Tutorials, how-to pages, reference and explanations.'],
  ...(config.sandbox && !config.production && !(config.smtpUrl && config.sms) ? [outboxCard] : []),
  ['/v1/openapi.json', 'OpenAPI 3.1', 'The REST contract, to generate typed clients from.'],
  ['/guide/changelog', 'Changelog', 'What changed in each version.'],
  ['/health/ready', 'Health', 'The readiness check for load balancers.'],
];

function render(config: Config, ready: boolean): string {
  return renderPageFrame(
    { title: 'Duet', at: '/', scripts: [sharedPageAssets.copy.href] },
    safeHtml`<div class="sheet">
<h1>One schema, two voices</h1>
<p class="lead">A GraphQL gateway for commerce, accounts and content with a REST compatibility layer. Both protocols share the same operations, rules and permissions.</p>
${!config.seedDemo && !config.production && safeHtml`<p class="steps"><a href="#shop">Create your own shop</a></p>`}
<ul class="cards">${listCards(config).map(
      ([path, name, text]) =>
        safeHtml`<li><a href="${path}"><strong>${name}</strong><code>${path}</code><br><span>${text}</span></a></li>`,
    )}</ul>
${!config.seedDemo && !config.production && ownShopSection(config)}<h2 id="parts">Services</h2>
<table class="facts" aria-labelledby="parts">
<tr><th scope="row">Gateway</th><td>${ready ? safeHtml`<span class="state real">ready</span>` : safeHtml`<span class="state embedded">not ready</span>`}</td><td class="how">GraphQL documents: ${config.trustedOnly ? 'trusted ones only' : 'any'}</td></tr>
${listServiceBackends(config).map(serviceRow)}</table>
${config.seedDemo && demoSection(config)}
</div>`,
  );
}

const serviceRow = ({ name, embedded, text, link }: ServiceBackend) =>
  safeHtml`<tr><th scope="row">${name}</th><td><span class="state ${embedded ? 'embedded' : 'real'}">${embedded ? 'embedded' : 'connected'}</span></td><td class="how">${text}${link && safeHtml` <a href="${link}">Open</a>`}</td></tr>\n`;

function demoSection({ publicUrl }: Config) {
  const signIn = `TOKEN=$(curl -s ${publicUrl}/v1/users/login \\
  -H 'Content-Type: application/json' \\
  -d '{"provider": "EMAIL", "email": "${demoShopIdsAndLogins.email}", "password": "${demoShopIdsAndLogins.password}"}' \\
  | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`;
  const rest = `curl '${publicUrl}/v1/businesses/${demoShopIdsAndLogins.businessId}/products?limit=3' \\
  -H "Authorization: Bearer $TOKEN"`;
  const graphql = `curl ${publicUrl}/graphql \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"query": "{ products(businessId: \\"${demoShopIdsAndLogins.businessId}\\", first: 3) { nodes { name slug } totalCount } }"}'`;
  return safeHtml`<h2 id="demo">The demo shop</h2>
<table class="facts" aria-labelledby="demo">
<tr><th scope="row">Business</th><td><code id="business">${demoShopIdsAndLogins.businessId}</code></td></tr>
<tr><th scope="row">Sign in</th><td><code>${demoShopIdsAndLogins.email}</code> with <code>${demoShopIdsAndLogins.password}</code></td></tr>
<tr><th scope="row">As customer</th><td><code>${demoShopIdsAndLogins.customerEmail}</code> with the same password</td></tr>
</table>
<h2>A first request</h2>
<p class="steps">Sign in once, then send either request.</p>
<div class="voices">
${renderCode('signin', 'Sign in', signIn)}${renderCode('rest', 'REST', rest)}${renderCode('graphql', 'GraphQL', graphql)}
</div>`;
}

const renderCode = (id: string, name: string, text: string) =>
  safeHtml`<div class="voice"><div class="name"><h3 id="${id}-name">${name}</h3><button type="button" hidden data-copy="${id}" aria-label="Copy: ${name}">Copy</button></div><pre tabindex="0" aria-labelledby="${id}-name" role="region"><code id="${id}">${text}</code></pre></div>
`;

/** Without the demo data: the steps to the first shop, by the command line or by requests. */
function ownShopSection(config: Config) {
  const post = (path: string, headers: string, body: object) =>
    `curl ${config.publicUrl}${path} \\\n  -H 'Content-Type: application/json'${headers} \\\n  -d '${JSON.stringify(body)}'`;
  const [email, password] = ['you@shop.example', 'a-long-password-of-yours'];
  const init = `duet init --email ${email} --name 'Your shop'`;
  const register = post('/v1/users/register', '', { name: 'You', email, password });
  const signIn = `TOKEN=$(${post('/v1/users/login', '', { provider: 'EMAIL', email, password })} -s \\
  | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`;
  const create = post('/v1/businesses', ' -H "Authorization: Bearer $TOKEN"', { name: 'Your shop' });
  const outbox = config.smtpUrl ? 'your mail' : safeHtml`<a href="/sandbox/outbox">the outbox</a>`;
  return safeHtml`<h2 id="shop">Your own shop</h2>
<p class="steps">One command creates an owner, a business, a market, shipping and a first product, also while the gateway runs. If you have a shop, sign in to the <a href="/workbench">workbench</a>, GraphiQL or the REST reference as its owner.</p>
<div class="voices">
${renderCode('init', 'In a terminal', init)}</div>
<p class="steps">Or do it with requests: register, open the link in ${outbox}, sign in, and create the business.</p>
<div class="voices">
${renderCode('register', '1. Register', register)}${renderCode('sign-in', '2. Sign in, after you opened the link', signIn)}${renderCode('create', '3. Create the business', create)}
</div>
<p class="steps">Then <a href="/guide/tutorials/first-shop">your first shop in ten minutes</a> adds a product and sells it.</p>
`;
}
