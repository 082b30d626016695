/** What businesses can be told about: a closed list, in which nothing names a person but by id. */
import type { EventData } from '../../generated/domains/event-data.ts';
import { webhookEvents } from '../../generated/domains/vocabulary.ts';

export const eventTypes = webhookEvents;

export type EventType = keyof typeof eventTypes;

/** With ids and facts; what is undefined is left out. */
export type WebhookEvent = {
  [Type in EventType]: { type: Type; data: Readonly<EventData[Type]> };
}[EventType];

/** Sent by hand to try an endpoint; nobody subscribes to it. */
export const testType = 'webhook.test';

const groups = [...new Set(Object.keys(eventTypes).map((type) => `${type.split('.')[0]}.*`))];

/** What an endpoint may subscribe to: types, groups, everything. */
export const patterns: ReadonlySet<string> = new Set(['*', ...groups, ...Object.keys(eventTypes)]);

/** By the name of the pattern as a value of an enum: `ORDER_CREATED`, `ORDER_ALL`, `ALL`. */
export const topics: Readonly<Record<string, string>> = Object.fromEntries(
  [...patterns].map((pattern) => [pattern.replace('*', 'all').replaceAll('.', '_').toUpperCase(), pattern]),
);

/** What an endpoint is told that subscribes to the pattern. */
export function meaningOf(pattern: string): string {
  if (pattern === '*') return 'Everything, also what there will be.';
  return pattern.endsWith('.*')
    ? `All events whose type begins with \`${pattern.slice(0, -1)}\`.`
    : eventTypes[pattern as EventType];
}

export const patternList = `Types (${Object.keys(eventTypes).join(', ')}), groups (${groups.join(', ')}), or * for all.`;
