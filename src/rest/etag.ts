/** ETags name the version of a record and the bytes that show it: `"<version>-<hash>"`. */
import { hash } from 'node:crypto';

export function etagOf(body: unknown, text: string): string {
  const digest = hash('sha1', text, 'base64url').slice(0, 16);
  const version = (body as { version?: unknown } | null)?.version;
  return typeof version === 'number' ? `"${version}-${digest}"` : `"${digest}"`;
}

/** Whether `If-None-Match` names this tag; weak and strong tags count alike. */
export function noneMatches(header: string, etag: string): boolean {
  return header.trim() === '*' || tagsOf(header).includes(etag);
}

/** Versions are 32-bit integers: a greater one is no record's. */
const maxVersion = 2 ** 31 - 1;

/** The version an `If-Match` insists on; -1, which no record has, when the tag is not one of ours. */
export function versionOf(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const version = /^"(\d+)(?:-[\w-]+)?"$/.exec(tagsOf(header)[0] ?? '')?.[1];
  return version === undefined || Number(version) > maxVersion ? -1 : Number(version);
}

const tagsOf = (header: string) => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
