/** Blocks as some clients write them: `{key, value: [x]}`, without id and type. The value tells what they are. Pure. */
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import type { BlockType } from './model.ts';

/** A list of one is that one. */
const unwrapped = (value: unknown): unknown =>
  Array.isArray(value) && value.length <= 1 ? (value[0] ?? undefined) : value;

function typeOf(value: unknown): BlockType {
  if (typeof value === 'number') return 'NUMBER';
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (Array.isArray(value)) return value.some(isPlainObject) ? 'MEDIA' : 'MULTI_SELECT';
  if (isPlainObject(value) && 'latitude' in value && 'longitude' in value) return 'GEO_LOCATION';
  if (isPlainObject(value) && 'url' in value && 'mimeType' in value) return 'MEDIA';
  return 'TEXT';
}

/** What has an id or a type of its own is left as it is. */
function defined(block: unknown): unknown {
  if (!isPlainObject(block) || typeof block.key !== 'string') return block;
  const { key, ...rest } = block;
  const hasOwn = (name: string) => block[name] !== undefined && block[name] !== null;
  if (hasOwn('id') || hasOwn('type')) return block;
  const value = unwrapped(block.value);
  return { ...rest, id: key, type: typeOf(value), value };
}

export const inferBlockTypes = (blocks: unknown): unknown =>
  Array.isArray(blocks) ? blocks.map(defined) : blocks;
