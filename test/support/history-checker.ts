/** Linearizability checker: finds contradictions in the responses that concurrent clients received. Pure. */

interface HistoryCall {
  client: string;
  /** Id of the record. */
  key: string;
  began: number;
  ended: number;
}

/** A write of a value that is unique in the history. */
export interface WriteEvent extends HistoryCall {
  kind: 'write';
  /** Unknown: no response arrived. */
  outcome: 'ok' | 'failed' | 'unknown';
  value: string;
  /** Version in the response. */
  version?: number;
  /** Expected version sent with the write (optimistic locking). */
  baseVersion?: number;
}

/** A read that got a response. */
export interface ReadEvent extends HistoryCall {
  kind: 'read';
  value: string;
  version: number;
}

export type HistoryEvent = WriteEvent | ReadEvent;

/** The record before the first event. */
export interface InitialRecord {
  value: string;
  version: number;
}

/** After a promotion the restore guard skips at least this many versions of every record. */
const minVersionJump = 50_000;

/** The history with each jump of the restore guard counted as one version. */
function collapseVersionJumps(
  initial: InitialRecord,
  events: readonly HistoryEvent[],
): [InitialRecord, HistoryEvent[]] {
  const seen = events.flatMap(({ version, ...event }) => [
    ...(version === undefined ? [] : [version]),
    ...('baseVersion' in event && event.baseVersion !== undefined ? [event.baseVersion] : []),
  ]);
  const collapsed = new Map<number, number>();
  let skipped = 0;
  let previous = initial.version;
  for (const version of [...new Set([initial.version, ...seen])].sort((a, b) => a - b)) {
    if (version - previous > minVersionJump) skipped += version - previous - 1;
    collapsed.set(version, version - skipped);
    previous = version;
  }
  const versionOf = (version: number) => collapsed.get(version) ?? version;
  return [
    { ...initial, version: versionOf(initial.version) },
    events.map((event) => ({
      ...event,
      ...(event.version === undefined ? {} : { version: versionOf(event.version) }),
      ...('baseVersion' in event && event.baseVersion !== undefined
        ? { baseVersion: versionOf(event.baseVersion) }
        : {}),
    })),
  ];
}

/** Errors in the history of one record, each as a sentence. */
export function recordHistoryErrors(first: InitialRecord, history: readonly HistoryEvent[]): string[] {
  const [initial, events] = collapseVersionJumps(first, history);
  const writes = events.filter((event) => event.kind === 'write');
  const reads = events.filter((event) => event.kind === 'read');
  return [
    ...duplicateVersionErrors(initial, writes),
    ...baseVersionErrors(writes),
    ...contentErrors(initial, writes, reads),
    ...unwrittenValueErrors(initial, writes, reads),
    ...realTimeErrors(events),
    ...lostWriteErrors(initial, writes, reads),
  ];
}

const acknowledged = (writes: readonly WriteEvent[]) =>
  writes.filter(
    (write): write is WriteEvent & { version: number } =>
      write.outcome === 'ok' && write.version !== undefined,
  );

function duplicateVersionErrors(initial: InitialRecord, writes: readonly WriteEvent[]): string[] {
  const authors = new Map([[initial.version, 'the start']]);
  return acknowledged(writes).flatMap(({ client, version }) => {
    const author = authors.get(version);
    authors.set(version, client);
    return author === undefined ? [] : [`version ${version} was made by ${author} and by ${client}`];
  });
}

const baseVersionErrors = (writes: readonly WriteEvent[]) =>
  acknowledged(writes)
    .filter(({ baseVersion: on, version }) => on !== undefined && version !== on + 1)
    .map(
      ({ client, baseVersion: on, version }) => `${client} changed version ${on}, and made ${version} of it`,
    );

function contentErrors(
  initial: InitialRecord,
  writes: readonly WriteEvent[],
  reads: readonly ReadEvent[],
): string[] {
  const contents = new Map([[initial.version, initial.value]]);
  return [...acknowledged(writes), ...reads].flatMap(({ client, version, value }) => {
    const expected = contents.get(version) ?? value;
    contents.set(version, expected);
    return expected === value ? [] : [`version ${version} is ${expected}, and ${value} for ${client}`];
  });
}

/** Every value that was read was written exactly once, by a write that began before the read ended and was not rejected. */
function unwrittenValueErrors(
  initial: InitialRecord,
  writes: readonly WriteEvent[],
  reads: readonly ReadEvent[],
): string[] {
  const byValue = new Map(writes.map((write) => [write.value, write]));
  const versions = new Map<string, number>();
  return reads.flatMap(({ client, value, version, ended }) => {
    const first = versions.get(value) ?? version;
    versions.set(value, first);
    if (first !== version) return [`${value} was made twice, as version ${first} and as ${version}`];
    if (value === initial.value) return [];
    const write = byValue.get(value);
    if (!write) return [`${client} read ${value}, which nobody wrote`];
    if (write.outcome === 'failed') return [`${client} read ${value}, which was refused`];
    return write.began > ended ? [`${client} read ${value} before it was written`] : [];
  });
}

/** Real-time order: an operation that begins after another has ended reads at least its version, and writes a newer one. */
function realTimeErrors(events: readonly HistoryEvent[]): string[] {
  const acknowledgedEvents = events.filter(
    (event): event is HistoryEvent & { version: number } =>
      event.version !== undefined && (event.kind === 'read' || event.outcome === 'ok'),
  );
  const byEnd = [...acknowledgedEvents].sort((a, b) => a.ended - b.ended);
  const byBegin = [...acknowledgedEvents].sort((a, b) => a.began - b.began);
  let newest: (HistoryEvent & { version: number }) | undefined;
  let next = 0;
  return byBegin.flatMap((event) => {
    for (let before = byEnd[next]; before && before.ended < event.began; before = byEnd[++next])
      if (!newest || before.version > newest.version) newest = before;
    if (!newest) return [];
    const { client, kind, version } = event;
    const isOrdered = kind === 'read' ? version >= newest.version : version > newest.version;
    const verb = kind === 'read' ? 'read' : 'made';
    return isOrdered
      ? []
      : [`${client} ${verb} version ${version} after ${newest.client} knew ${newest.version}`];
  });
}

/** The final read shows all acknowledged writes, and any number of those without a response. Skipped if a write ended after it began. */
function lostWriteErrors(
  initial: InitialRecord,
  writes: readonly WriteEvent[],
  reads: readonly ReadEvent[],
): string[] {
  const last = reads.reduce<ReadEvent | undefined>((a, b) => (a && a.began > b.began ? a : b), undefined);
  if (!last || writes.some(({ ended }) => ended > last.began)) return [];
  const minVersion = initial.version + writes.filter(({ outcome }) => outcome === 'ok').length;
  const maxVersion = minVersion + writes.filter(({ outcome }) => outcome === 'unknown').length;
  if (last.version >= minVersion && last.version <= maxVersion) return [];
  return [`the last version is ${last.version}, and not from ${minVersion} to ${maxVersion}`];
}

/** A change of a counter, such as stock. */
export interface CounterChange {
  change: number;
  /** Unknown: no response arrived; the change was applied once or not at all. */
  outcome: 'ok' | 'failed' | 'unknown';
}

/** Errors in the final value of a counter. */
export function counterHistoryErrors(
  initial: number,
  finalValue: number,
  changes: readonly CounterChange[],
): string[] {
  const sum = changes.reduce(
    (total, { change, outcome }) => total + (outcome === 'ok' ? change : 0),
    initial,
  );
  let possibleTotals = new Set([sum]);
  for (const { change, outcome } of changes)
    if (outcome === 'unknown')
      possibleTotals = new Set([...possibleTotals].flatMap((total) => [total, total + change]));
  if (possibleTotals.has(finalValue)) return [];
  const listed = [...possibleTotals].sort((a, b) => a - b).join(', ');
  return [`${finalValue} is left, and not ${listed}`];
}
