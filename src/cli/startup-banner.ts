/** Text with URLs and demo credentials that `duet start` prints in a terminal. */
import type { Config } from '../config.ts';
import { demoShopIdsAndLogins } from '../seed/shop-data.ts';

export function formatStartupBanner(config: Config): string {
  const base = config.publicUrl;
  const lines = [
    '',
    '  Duet: one schema, two voices',
    '',
    `  Start      ${base}/`,
    `  GraphQL    ${base}/graphql   ${config.trustedOnly ? '(trusted documents only)' : '(GraphiQL in a browser)'}`,
    `  REST       ${base}/v1/…   (reference at ${base}/docs)`,
    `  Guide      ${base}/guide   (tutorials and how-to pages)`,
    `  Workbench  ${base}/workbench   (requests and errors of a shop)`,
    ...(config.smtpUrl && config.sms
      ? []
      : [`  Outbox     ${base}/sandbox/outbox   (captured mails and text messages)`]),
    `  Health     ${base}/health/ready`,
    `  Database   ${config.databaseUrl ? 'PostgreSQL' : `embedded, in ${config.dataDir}`}`,
  ];
  if (config.seedDemo) {
    lines.push(
      '',
      `  Demo       business ${demoShopIdsAndLogins.businessId}`,
      `  Sign in    ${demoShopIdsAndLogins.email} / ${demoShopIdsAndLogins.password}`,
    );
  } else if (!config.production) {
    lines.push('', '  Your shop  duet init   (in a second terminal, if there is none yet)');
  }
  return `${lines.join('\n')}\n`;
}
