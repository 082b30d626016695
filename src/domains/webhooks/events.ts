/** What businesses can be told about: a closed list, in which nothing names a person but by id. */
import type { EventData } from '../../generated/domains/event-data.ts';
import { webhookEvents } from '../../generated/domains/vocabulary.ts';

export const webhookEventTypes = webhookEvents;

export type WebhookEventType = keyof typeof webhookEventTypes;

/** With ids and facts; what is undefined is left out. */
export type WebhookEvent = {
  [Type in WebhookEventType]: { type: Type; data: Readonly<EventData[Type]> };
}[WebhookEventType];

/** Sent by hand to try an endpoint; nobody subscribes to it. */
export const testEventType = 'webhook.test';

const groups = [...new Set(Object.keys(webhookEventTypes).map((type) => `${type.split('.')[0]}.*`))];

/** What an endpoint may subscribe to: types, groups, everything. */
export const eventPatterns: ReadonlySet<string> = new Set([
  '*',
  ...groups,
  ...Object.keys(webhookEventTypes),
]);

/** By the name of the pattern as a value of an enum: `ORDER_CREATED`, `ORDER_ALL`, `ALL`. */
export const webhookTopics: Readonly<Record<string, string>> = Object.fromEntries(
  [...eventPatterns].map((pattern) => [
    pattern.replace('*', 'all').replaceAll('.', '_').toUpperCase(),
    pattern,
  ]),
);

/** What an endpoint is told that subscribes to the pattern. */
export function describeEventPattern(pattern: string): string {
  if (pattern === '*') return 'Everything, also what there will be.';
  return pattern.endsWith('.*')
    ? `All events whose type begins with \`${pattern.slice(0, -1)}\`.`
    : webhookEventTypes[pattern as WebhookEventType];
}

export const eventPatternList = `Types (${Object.keys(webhookEventTypes).join(', ')}), groups (${groups.join(', ')}), or * for all.`;
