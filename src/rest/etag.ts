/** ETags name the version of a record and the bytes that show it: `"<version>-<hash>"`. */
import { hash } from 'node:crypto';

export function etagOf(body: unknown, text: string): string {
  const digest = hash('sha1', text, 'base64url').slice(0, 16);
  const version = (body as { version?: unknown } | null)?.version;
  return typeof version === 'number' ? `"${version}-${digest}"` : `"${digest}"`;
}

/** Whether `If-None-Match` names this tag; weak and strong tags count alike. */
export function ifNoneMatchIncludes(header: string, etag: string): boolean {
  return header.trim() === '*' || tagsOf(header).includes(etag);
}

/** Versions are 32-bit integers: a greater one is no record's. */
const maxVersion = 2 ** 31 - 1;

/** The versions an `If-Match` lets pass, each once; -1, which no record has, for a tag that is not one of ours. */
export function ifMatchVersions(header: string | undefined): number[] {
  if (header === undefined || header.trim() === '*') return [];
  return [...new Set(tagsOf(header).map(versionOf))];
}

function versionOf(tag: string): number {
  const version = /^"(\d+)(?:-[\w-]+)?"$/.exec(tag)?.[1];
  return version === undefined || Number(version) > maxVersion ? -1 : Number(version);
}

const tagsOf = (header: string) => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
