/** Webhook event types and the patterns that endpoints subscribe to. Event data identifies persons only by id. */
import type { EventData } from '../../generated/domains/event-data.ts';
import { webhookEvents } from '../../generated/domains/permissions-events-and-topics.ts';

export const webhookEventDescriptions = webhookEvents;

export type WebhookEventType = keyof typeof webhookEventDescriptions;

/** Undefined fields of `data` are omitted from the JSON. */
export type WebhookEvent = {
  [Type in WebhookEventType]: { type: Type; data: Readonly<EventData[Type]> };
}[WebhookEventType];

/** Sent only on request, by testWebhookEndpoint; endpoints cannot subscribe to it. */
export const testWebhookEventType = 'webhook.test';

const groups = [...new Set(Object.keys(webhookEventDescriptions).map((type) => `${type.split('.')[0]}.*`))];

/** Patterns for subscriptions: event types, groups (`order.*`) and `*`. */
export const webhookEventPatterns: ReadonlySet<string> = new Set([
  '*',
  ...groups,
  ...Object.keys(webhookEventDescriptions),
]);

/** Pattern by name of the GraphQL enum value: `ORDER_CREATED`, `ORDER_ALL`, `ALL`. */
export const webhookTopicPatternByEnumValue: Readonly<Record<string, string>> = Object.fromEntries(
  [...webhookEventPatterns].map((pattern) => [
    pattern.replace('*', 'all').replaceAll('.', '_').toUpperCase(),
    pattern,
  ]),
);

/** Description of a pattern for the schema. */
export function describeWebhookEventPattern(pattern: string): string {
  if (pattern === '*') return 'All events, including types added in the future.';
  return pattern.endsWith('.*')
    ? `All events whose type starts with \`${pattern.slice(0, -1)}\`.`
    : webhookEventDescriptions[pattern as WebhookEventType];
}

export const webhookEventPatternsText = `Types (${Object.keys(webhookEventDescriptions).join(', ')}), groups (${groups.join(', ')}), or * for all.`;
