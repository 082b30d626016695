/** Endpoints of customer groups as data: query parameters, body fields and responses. */
import type { Shape } from './documented-resources.ts';

const group: Shape = { id: 'string', name: 'string' };
const member: Shape = { userId: 'string', name: 'string?', since: 'integer' };
const listOf = (item: Shape): Shape => ({ items: [item], cursor: 'string' });
const paged = ['limit', 'cursor'];

export const customerGroupEndpoints = (path: string) => ({
  [`POST ${path}`]: { body: ['id', 'name'], answers: [group] },
  [`GET ${path}`]: { query: paged, answers: [listOf(group)] },
  [`GET ${path}/{id}`]: { answers: [group] },
  [`PUT ${path}/{id}`]: { body: ['name'], answers: [group] },
  [`DELETE ${path}/{id}`]: { answers: ['Deleted'] },
  [`POST ${path}/{groupId}/members`]: { body: ['userId'], answers: [member] },
  [`GET ${path}/{groupId}/members`]: { query: paged, answers: [listOf(member)] },
  [`DELETE ${path}/{groupId}/members/{userId}`]: { answers: ['Deleted'] },
});
