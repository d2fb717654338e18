/** Which lists had a row before a change, and which have it after: by the filter, and by what the caller reaches. */
import type { TenantData } from '../../database/data.ts'
import { type KnownValues, matches, UnknownValue } from '../../database/read/matches.ts'
import type { RowReach } from '../../database/row-reach.ts'
import { readsStated, type StatedRow } from '../../database/row-state.ts'
import type { NetChange } from './changes.ts'
import type { Entry } from './list-index.ts'

/** `reset`: only a new read of the list tells. */
export type ChangeKind = 'enter' | 'change' | 'leave' | 'delete' | 'reset'

export interface Decision {
  entry: Entry
  change: NetChange
  kind: ChangeKind
}

interface Asked {
  entry: Entry
  change: NetChange
  wasIn: Membership
  isIn: Membership
}

/** `null`: the database has to be asked whether the caller reaches the row. */
type Membership = boolean | null

/**
 * @param concerned the lists of each change @param reachOf what a subscriber reaches at present
 * @returns what each list gets; nothing for a list that neither had the row nor has it
 */
export async function decide(
  data: TenantData,
  concerned: readonly { change: NetChange; entries: ReadonlySet<Entry> }[],
  reachOf: (entry: Entry) => RowReach | null,
): Promise<Decision[]> {
  const pairs = concerned.flatMap(({ change, entries }) => [...entries].map((entry) => ({ entry, change })))
  const asked = pairs.map((pair) => memberships(pair, reachOf))
  await askDatabase(
    data,
    asked.filter((each) => each !== null),
    reachOf,
  )
  return pairs.flatMap(({ entry, change }, place): Decision[] => {
    const own = asked[place] ?? null
    const kind = own === null ? 'reset' : kindOf(own.wasIn === true, own.isIn === true, change)
    return kind === null ? [] : [{ entry, change, kind }]
  })
}

/** @returns `null` for what only a new read of the list tells */
function memberships(
  { entry, change }: Pick<Asked, 'entry' | 'change'>,
  reachOf: (entry: Entry) => RowReach | null,
): Asked | null {
  if (change.isCut) return null
  try {
    const reach = reachOf(entry)
    const [wasIn, isIn] = [hadRow(entry, change.before, reach), hadRow(entry, change.after, reach)]
    return { entry, change, wasIn, isIn }
  } catch (error) {
    if (error instanceof UnknownValue) return null
    throw error
  }
}

function kindOf(wasIn: boolean, isIn: boolean, { after }: NetChange): ChangeKind | null {
  if (isIn) return wasIn ? 'change' : 'enter'
  if (!wasIn) return null
  return after === null ? 'delete' : 'leave'
}

function hadRow({ list }: Entry, row: KnownValues | null, reach: RowReach | null): Membership {
  if (row === null || !matches(list.filter, row)) return false
  return reach === null ? true : reach.reads(list.source.model.table, columnsOf(list.source, row))
}

function columnsOf({ model }: Entry['list']['source'], row: KnownValues): Map<string, unknown> {
  return new Map([...model.fields.values()].map(({ name, column }) => [column, row[name]]))
}

/** One statement for all callers who reach the same rows of an entity. */
async function askDatabase(
  data: TenantData,
  asked: readonly Asked[],
  reachOf: (entry: Entry) => RowReach | null,
): Promise<void> {
  const open = asked.filter(({ wasIn, isIn }) => wasIn === null || isIn === null)
  const groups = Map.groupBy(open, ({ entry }) => {
    const { table } = entry.list.source.model
    return `${table} ${reachOf(entry)?.signature(table)}`
  })
  for (const group of groups.values()) await askForGroup(data, group, reachOf)
}

async function askForGroup(
  data: TenantData,
  group: readonly Asked[],
  reachOf: (entry: Entry) => RowReach | null,
): Promise<void> {
  const [first] = group
  const reach = first && reachOf(first.entry)
  if (first === undefined || !reach) return
  const { model } = first.entry.list.source
  const open = group.flatMap(({ change, wasIn, isIn }) => [
    ...(wasIn === null ? [change.before] : []),
    ...(isIn === null ? [change.after] : []),
  ])
  const states = [...new Set(open.filter((state) => state !== null))]
  const rows = states.map((state) => statedOf(model, state))
  const reads = await readsStated(data, reach, { table: model.table, rows })
  const reached = new Map<KnownValues | null, boolean>(
    states.map((state, place) => [state, reads[place] === true]),
  )
  for (const each of group) {
    each.wasIn ??= reached.get(each.change.before) === true
    each.isIn ??= reached.get(each.change.after) === true
  }
}

/** Rules name ids and texts. */
function statedOf({ fields }: Entry['list']['source']['model'], row: KnownValues): StatedRow {
  const columns = [...fields.values()].flatMap(({ name, column, kind }) => {
    const isNamed = kind === 'uuid' || kind === 'text' || kind === 'enum'
    const value = row[name]
    if (!isNamed || (value !== null && typeof value !== 'string')) return []
    return [[column, { type: kind === 'uuid' ? ('uuid' as const) : ('text' as const), value }] as const]
  })
  return new Map(columns)
}
