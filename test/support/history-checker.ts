/** Whether what clients were told, all together, could have happened: one record after the other, nothing lost, nothing made up. Pure. */

interface Call {
  client: string;
  /** Which record. */
  key: string;
  began: number;
  ended: number;
}

/** Each writes a value that no other does. */
export interface WriteEvent extends Call {
  kind: 'write';
  /** Unknown: there was no answer. */
  outcome: 'ok' | 'failed' | 'unknown';
  value: string;
  /** What it was told to have made. */
  version?: number;
  /** The only version it was to be made from. */
  baseVersion?: number;
}

/** One that got an answer. */
export interface ReadEvent extends Call {
  kind: 'read';
  value: string;
  version: number;
}

export type HistoryEvent = WriteEvent | ReadEvent;

/** What a record was before all of it. */
export interface InitialRecord {
  value: string;
  version: number;
}

/** What is wrong with the history of a record, each fault in one sentence. */
export function recordHistoryErrors(start: InitialRecord, events: readonly HistoryEvent[]): string[] {
  const writes = events.filter((event) => event.kind === 'write');
  const reads = events.filter((event) => event.kind === 'read');
  return [
    ...distinctVersions(start, writes),
    ...basesKept(writes),
    ...contentsAgree(start, writes, reads),
    ...writtenByNow(start, writes, reads),
    ...realTimeKept(events),
    ...noneLost(start, writes, reads),
  ];
}

const done = (writes: readonly WriteEvent[]) =>
  writes.filter(
    (write): write is WriteEvent & { version: number } => write.outcome === 'ok' && write.version !== undefined,
  );

function distinctVersions(start: InitialRecord, writes: readonly WriteEvent[]): string[] {
  const by = new Map([[start.version, 'the start']]);
  return done(writes).flatMap(({ client, version }) => {
    const other = by.get(version);
    by.set(version, client);
    return other === undefined ? [] : [`version ${version} was made by ${other} and by ${client}`];
  });
}

const basesKept = (writes: readonly WriteEvent[]) =>
  done(writes)
    .filter(({ baseVersion: on, version }) => on !== undefined && version !== on + 1)
    .map(({ client, baseVersion: on, version }) => `${client} changed version ${on}, and made ${version} of it`);

function contentsAgree(start: InitialRecord, writes: readonly WriteEvent[], reads: readonly ReadEvent[]): string[] {
  const contents = new Map([[start.version, start.value]]);
  return [...done(writes), ...reads].flatMap(({ client, version, value }) => {
    const known = contents.get(version) ?? value;
    contents.set(version, known);
    return known === value ? [] : [`version ${version} is ${known}, and ${value} for ${client}`];
  });
}

/** What is read was written, by somebody who had begun by then, who was not told that it failed, and once. */
function writtenByNow(start: InitialRecord, writes: readonly WriteEvent[], reads: readonly ReadEvent[]): string[] {
  const byValue = new Map(writes.map((write) => [write.value, write]));
  const versions = new Map<string, number>();
  return reads.flatMap(({ client, value, version, ended }) => {
    const first = versions.get(value) ?? version;
    versions.set(value, first);
    if (first !== version) return [`${value} was made twice, as version ${first} and as ${version}`];
    if (value === start.value) return [];
    const write = byValue.get(value);
    if (!write) return [`${client} read ${value}, which nobody wrote`];
    if (write.outcome === 'failed') return [`${client} read ${value}, which was refused`];
    return write.began > ended ? [`${client} read ${value} before it was written`] : [];
  });
}

/** Whoever begins after somebody has ended sees no less, and changes something newer. */
function realTimeKept(events: readonly HistoryEvent[]): string[] {
  const told = events.filter(
    (event): event is HistoryEvent & { version: number } =>
      event.version !== undefined && (event.kind === 'read' || event.outcome === 'ok'),
  );
  const byEnd = [...told].sort((a, b) => a.ended - b.ended);
  const byBegin = [...told].sort((a, b) => a.began - b.began);
  let newest: (HistoryEvent & { version: number }) | undefined;
  let next = 0;
  return byBegin.flatMap((event) => {
    for (let before = byEnd[next]; before && before.ended < event.began; before = byEnd[++next])
      if (!newest || before.version > newest.version) newest = before;
    if (!newest) return [];
    const { client, kind, version } = event;
    const isFine = kind === 'read' ? version >= newest.version : version > newest.version;
    const verb = kind === 'read' ? 'read' : 'made';
    return isFine
      ? []
      : [`${client} ${verb} version ${version} after ${newest.client} knew ${newest.version}`];
  });
}

/** The last look, after everything: as many changes as were acknowledged, and of those without an answer some. */
function noneLost(start: InitialRecord, writes: readonly WriteEvent[], reads: readonly ReadEvent[]): string[] {
  const last = reads.reduce<ReadEvent | undefined>((a, b) => (a && a.began > b.began ? a : b), undefined);
  if (!last || writes.some(({ ended }) => ended > last.began)) return [];
  const least = start.version + writes.filter(({ outcome }) => outcome === 'ok').length;
  const most = least + writes.filter(({ outcome }) => outcome === 'unknown').length;
  if (last.version >= least && last.version <= most) return [];
  return [`the last version is ${last.version}, and not from ${least} to ${most}`];
}

/** One change to something that is counted. */
export interface CounterChange {
  change: number;
  /** Unknown: made once, or not at all. */
  outcome: 'ok' | 'failed' | 'unknown';
}

/** What is wrong with a count after all changes to it. */
export function counterHistoryErrors(start: number, end: number, changes: readonly CounterChange[]): string[] {
  const sum = changes.reduce((total, { change, outcome }) => total + (outcome === 'ok' ? change : 0), start);
  let possible = new Set([sum]);
  for (const { change, outcome } of changes)
    if (outcome === 'unknown') possible = new Set([...possible].flatMap((total) => [total, total + change]));
  if (possible.has(end)) return [];
  const all = [...possible].sort((a, b) => a - b).join(', ');
  return [`${end} is left, and not ${all}`];
}
