/** Infers id and type of blocks that clients send as `{key, value: [x]}`. Pure. */
import { isPlainObject } from '../../lib/json/plain-objects.ts';
import type { BlockType } from './model.ts';

/** Unwraps a list with at most one item. */
const unwrapSingleItem = (value: unknown): unknown =>
  Array.isArray(value) && value.length <= 1 ? (value[0] ?? undefined) : value;

function inferType(value: unknown): BlockType {
  if (typeof value === 'number') return 'NUMBER';
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (Array.isArray(value)) return value.some(isPlainObject) ? 'MEDIA' : 'MULTI_SELECT';
  if (isPlainObject(value) && 'latitude' in value && 'longitude' in value) return 'GEO_LOCATION';
  if (isPlainObject(value) && 'url' in value && 'mimeType' in value) return 'MEDIA';
  return 'TEXT';
}

/** A block that has an id or a type is returned unchanged. */
function inferBlock(block: unknown): unknown {
  if (!isPlainObject(block) || typeof block.key !== 'string') return block;
  const { key, ...fields } = block;
  const isSet = (name: string) => block[name] !== undefined && block[name] !== null;
  if (isSet('id') || isSet('type')) return block;
  const value = unwrapSingleItem(block.value);
  return { ...fields, id: key, type: inferType(value), value };
}

export const fillInBlockIdsAndTypes = (blocks: unknown): unknown =>
  Array.isArray(blocks) ? blocks.map(inferBlock) : blocks;
