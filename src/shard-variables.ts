/** Variables of database servers in addition to that of DATABASE_URL: formats, and checks across variables. */
import { z } from 'zod';
import { isDatabaseUrl } from './lib/net/multi-host-url.ts';
import { type NamedDatabaseUrl, splitNamedDatabaseUrls } from './lib/net/named-database-urls.ts';
import { ConfigError } from './lib/operator-errors.ts';

/** Name of the server of DATABASE_URL. */
export const homeServerName = 'home';

const serverName = /^[a-z][a-z0-9-]{0,30}$/;

/** Messages omit the URLs, which contain passwords. */
function listShardErrors({ name, url }: NamedDatabaseUrl, earlier: readonly NamedDatabaseUrl[]): string[] {
  const place = `entry ${earlier.length + 1}`;
  if (name === '') return [`${place} must look like name=postgresql://user:password@host:5432/name`];
  const label = JSON.stringify(name);
  const rules: [boolean, string][] = [
    [serverName.test(name), `${label} is no name: up to 31 lower-case letters, digits and hyphens`],
    [name !== homeServerName, `${label} is the name of the server of DATABASE_URL`],
    [earlier.every((shard) => shard.name !== name), `${label} is the name of two servers`],
    [isDatabaseUrl(url), `the URL of ${label} must look like postgresql://user:password@host:5432/name`],
    [earlier.every((shard) => shard.url !== url), `the URL of ${label} is also the URL of another server`],
  ];
  return rules.filter(([isMet]) => !isMet).map(([, error]) => error);
}

export const databaseShardsSchema = z.string().transform((value, ctx) => {
  const shards = splitNamedDatabaseUrls(value);
  for (const [index, shard] of shards.entries())
    for (const error of listShardErrors(shard, shards.slice(0, index))) ctx.addIssue(error);
  return shards;
});

export const shardWeightsSchema = z.string().transform((value, ctx) => {
  const weights: Record<string, number> = {};
  for (const entry of value.split(',').filter((text) => text.trim() !== '')) {
    const [name = '', weight = ''] = entry.split('=').map((part) => part.trim());
    if (!serverName.test(name) || !/^\d{1,4}$/.test(weight))
      ctx.addIssue(`${JSON.stringify(entry.trim())} must look like name=2, with a weight from 0 to 9999`);
    else if (Object.hasOwn(weights, name)) ctx.addIssue(`there are two weights of ${JSON.stringify(name)}`);
    else weights[name] = Number(weight);
  }
  return weights;
});

/** A database server in addition to that of DATABASE_URL. */
export interface DatabaseShard {
  readonly name: string;
  readonly url: string;
  /** Share of new businesses, relative to the other servers. 0: none. */
  readonly weight: number;
}

/** Default weight: 1. */
export function readShards({
  DATABASE_URL,
  DATABASE_SHARDS,
  SHARD_WEIGHTS,
}: {
  DATABASE_URL?: string | undefined;
  DATABASE_SHARDS: readonly NamedDatabaseUrl[];
  SHARD_WEIGHTS: Readonly<Record<string, number>>;
}): { databaseShards: readonly DatabaseShard[]; homeServerWeight: number } {
  if (DATABASE_SHARDS.length > 0 && DATABASE_URL === undefined)
    throw new ConfigError('DATABASE_SHARDS: set DATABASE_URL to the home server, which has the accounts.');
  const names = [homeServerName, ...DATABASE_SHARDS.map(({ name }) => name)];
  const errors = Object.keys(SHARD_WEIGHTS)
    .filter((name) => !names.includes(name))
    .map((name) => `SHARD_WEIGHTS: there is no server ${JSON.stringify(name)}, only ${names.join(', ')}`);
  if (DATABASE_SHARDS.some(({ url }) => url === DATABASE_URL))
    errors.push('DATABASE_SHARDS: the server of DATABASE_URL is the home server, and not a shard.');
  if (names.every((name) => SHARD_WEIGHTS[name] === 0))
    errors.push('SHARD_WEIGHTS: all weights are 0, so that no server gets new businesses.');
  if (errors.length > 0) throw new ConfigError(errors.join('\n'));
  return {
    databaseShards: DATABASE_SHARDS.map((shard) => ({ ...shard, weight: SHARD_WEIGHTS[shard.name] ?? 1 })),
    homeServerWeight: SHARD_WEIGHTS[homeServerName] ?? 1,
  };
}
