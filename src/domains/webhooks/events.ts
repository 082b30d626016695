/** Webhook event types and the patterns that endpoints subscribe to. Event data identifies persons only by id. */
import type { EventData } from '../../generated/domains/event-data.ts';
import { webhookEvents } from '../../generated/domains/manifests.ts';

export const webhookEventTypes = webhookEvents;

export type WebhookEventType = keyof typeof webhookEventTypes;

/** Undefined fields of `data` are omitted from the JSON. */
export type WebhookEvent = {
  [Type in WebhookEventType]: { type: Type; data: Readonly<EventData[Type]> };
}[WebhookEventType];

/** Sent only on request, by testWebhookEndpoint; endpoints cannot subscribe to it. */
export const testEventType = 'webhook.test';

const groups = [...new Set(Object.keys(webhookEventTypes).map((type) => `${type.split('.')[0]}.*`))];

/** Patterns for subscriptions: event types, groups (`order.*`) and `*`. */
export const eventPatterns: ReadonlySet<string> = new Set([
  '*',
  ...groups,
  ...Object.keys(webhookEventTypes),
]);

/** Pattern by name of the GraphQL enum value: `ORDER_CREATED`, `ORDER_ALL`, `ALL`. */
export const webhookTopics: Readonly<Record<string, string>> = Object.fromEntries(
  [...eventPatterns].map((pattern) => [
    pattern.replace('*', 'all').replaceAll('.', '_').toUpperCase(),
    pattern,
  ]),
);

/** Description of a pattern for the schema. */
export function describeEventPattern(pattern: string): string {
  if (pattern === '*') return 'All events, including types added in the future.';
  return pattern.endsWith('.*')
    ? `All events whose type starts with \`${pattern.slice(0, -1)}\`.`
    : webhookEventTypes[pattern as WebhookEventType];
}

export const eventPatternList = `Types (${Object.keys(webhookEventTypes).join(', ')}), groups (${groups.join(', ')}), or * for all.`;
