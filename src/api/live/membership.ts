/** Decides which lists had a row before a change, and which have it after: by filters, and by row rules. */
import type { TenantData } from '../../database/data.ts'
import { type KnownValues, matches, UnknownValue } from '../../database/read/matches.ts'
import type { RowReach } from '../../database/row-reach.ts'
import { readsStated, refersToGone, type StatedRow } from '../../database/row-state.ts'
import type { NetChange } from './changes.ts'
import type { Entry } from './list-index.ts'

/** `reset`: the client has to read the list again, because the event does not tell what became of the row. */
export type ChangeKind = 'enter' | 'change' | 'leave' | 'delete' | 'reset'

export interface Decision {
  entry: Entry
  change: NetChange
  kind: ChangeKind
}

interface Membership {
  entry: Entry
  change: NetChange
  /**
   * Whether the list had each state of the row. `null`: the values do not tell, and the database has to be asked
   * whether the caller may read the row, or cannot tell any more.
   */
  had: (boolean | null)[]
}

/** Tells what row and field rules grant the subscriber of a list; `null` if no rule restricts it. */
type Reaches = (entry: Entry) => RowReach | null

/**
 * @param concerned the lists of each change @param reachOf what a subscriber may read at present
 * @returns what each list gets; nothing for a list that never had the row
 */
export async function decide(
  data: TenantData,
  concerned: readonly { change: NetChange; entries: Iterable<Entry> }[],
  reachOf: Reaches,
): Promise<Decision[]> {
  const pairs = concerned.flatMap(({ change, entries }) => [...entries].map((entry) => ({ entry, change })))
  const columns = new Map<KnownValues, ReadonlyMap<string, unknown>>()
  const asked = pairs.map((pair) => memberships(pair, reachOf, columns))
  await askDatabase(
    data,
    asked.filter((each) => each !== null),
    reachOf,
  )
  return pairs.flatMap(({ entry, change }, place): Decision[] => {
    const own = asked[place] ?? null
    const kind = own === null ? 'reset' : kindOf(own)
    return kind === null ? [] : [{ entry, change, kind }]
  })
}

type Columns = Map<KnownValues, ReadonlyMap<string, unknown>>

/** @param columns of the states, made once for all lists @returns `null` for what only a new read of the list tells */
function memberships(
  { entry, change }: Pick<Membership, 'entry' | 'change'>,
  reachOf: Reaches,
  columns: Columns,
): Membership | null {
  if (change.isCut) return null
  try {
    const reach = reachOf(entry)
    return { entry, change, had: change.states.map((state) => hadRow(entry, { state, reach, columns })) }
  } catch (error) {
    if (error instanceof UnknownValue) return null
    throw error
  }
}

function kindOf({ had, change: { states } }: Membership): ChangeKind | null {
  const earlier = had.slice(0, -1)
  const last = had.at(-1)
  if (last === true) return earlier.every((each) => each === true) ? 'change' : 'enter'
  if (last !== null && earlier.includes(true)) return states.at(-1) === null ? 'delete' : 'leave'
  return had.includes(null) ? 'reset' : null
}

/** @throws UnknownValue */
function hadRow(
  { list: { source, filter } }: Entry,
  { state, reach, columns }: { state: KnownValues | null; reach: RowReach | null; columns: Columns },
): boolean | null {
  if (state === null) return false
  if (reach === null || reach.readsAll(source.model.table)) return matches(filter, state)
  const { table } = source.model
  const values = columns.get(state) ?? columnsOf(source, state)
  columns.set(state, values)
  const reaches = reach.reads(table, values)
  if (reaches === false || !matches(filter, state)) return false
  if (reaches === null)
    for (const column of reach.columns(table))
      if (values.get(column) === undefined) throw new UnknownValue(column)
  return reaches
}

function columnsOf({ model }: Entry['list']['source'], row: KnownValues): Map<string, unknown> {
  return new Map([...model.fields.values()].map(({ name, column }) => [column, row[name]]))
}

/** Runs one statement for all callers who may read the same rows of an entity. */
async function askDatabase(data: TenantData, asked: readonly Membership[], reachOf: Reaches): Promise<void> {
  const open = asked.filter(({ had }) => had.includes(null))
  const groups = Map.groupBy(open, ({ entry }) => {
    const { table } = entry.list.source.model
    return `${table} ${reachOf(entry)?.signature(table)}`
  })
  const gone: Gone = new Map()
  for (const group of groups.values()) await askForGroup(data, group, { reachOf, gone })
}

/** Whether a state refers to a row that is gone, by table and by what its rule refers to. */
type Gone = Map<string, Map<KnownValues, boolean>>

/** Leaves `null` if a row that no longer exists may have permitted the caller to read the row. */
async function askForGroup(
  data: TenantData,
  group: readonly Membership[],
  { reachOf, gone }: { reachOf: Reaches; gone: Gone },
): Promise<void> {
  const [first] = group
  const reach = first && reachOf(first.entry)
  if (first === undefined || !reach) return
  const { model } = first.entry.list.source
  const open = group.flatMap(({ change, had }) =>
    change.states.filter((_state, place) => had[place] === null),
  )
  const states = [...new Set(open.filter((state) => state !== null))]
  const named = reach.columns(model.table)
  const rows = states.map((state) => statedOf(model, state, named))
  const reads = await readsStated(data, reach, { table: model.table, rows })
  const reached = new Set(states.filter((_state, place) => reads[place] === true))
  const unreached = states.filter((state) => !reached.has(state))
  const ofRule = await withGone(data, unreached, { model, reach, gone })
  const reaches = (state: KnownValues) => reached.has(state) || (ofRule.get(state) === true ? null : false)
  for (const { change, had } of group)
    for (const [place, state] of change.states.entries()) if (state !== null) had[place] ??= reaches(state)
}

/** Asks the database once for all callers whose rules refer to the same rows. */
async function withGone(
  data: TenantData,
  states: readonly KnownValues[],
  { model, reach, gone }: { model: Entry['list']['source']['model']; reach: RowReach; gone: Gone },
): Promise<ReadonlyMap<KnownValues, boolean>> {
  const { table } = model
  const key = JSON.stringify([table, reach.references(table)])
  const known = gone.get(key) ?? new Map<KnownValues, boolean>()
  gone.set(key, known)
  const named = reach.columns(table)
  const open = states.filter((state) => !known.has(state))
  const rows = open.map((state) => statedOf(model, state, named))
  const found = await refersToGone(data, reach, { table, rows })
  for (const [place, state] of open.entries()) known.set(state, found[place] === true)
  return known
}

/**
 * A statement gets these values as parameters, because the table may have other values by now.
 * @returns the values of the columns that rules name, which are ids or texts
 */
function statedOf(
  { fields }: Entry['list']['source']['model'],
  row: KnownValues,
  named: ReadonlySet<string>,
): StatedRow {
  const columns = [...fields.values()].flatMap(({ name, column, kind }) => {
    const value = row[name] ?? null
    if (!named.has(column) || (value !== null && typeof value !== 'string')) return []
    return [[column, { type: kind === 'uuid' ? ('uuid' as const) : ('text' as const), value }] as const]
  })
  return new Map(columns)
}
