/** Rows that have changed, as they are now: each is read once for the tenant, and rendered once for each selection. */
import type { EventSource } from '../../core/live/subscriber.ts'
import { hasKey } from '../../database/read/conditions.ts'
import type { KnownValues } from '../../database/read/matches.ts'
import { RowTooLarge } from '../../database/read/measure.ts'
import { readOne } from '../../database/read/one.ts'
import { parseRows } from '../../database/read/parsed.ts'
import { project, unionOf } from '../../database/read/projection.ts'
import { columnField, type ReadModel } from '../../database/read/read-model.ts'
import { selectionShape } from '../../database/read/render.ts'
import type { Selection } from '../../database/read/selection.ts'
import type { RowReach } from '../../database/row-reach.ts'
import type { TimeSlice } from '../../database/time-slice.ts'
import type { NetChange } from './changes.ts'
import type { Entry } from './list-index.ts'
import { type Decision, decide } from './membership.ts'

export interface CurrentRow {
  version: number
  /** The values that filters of lists and row rules compare. */
  values: KnownValues
  /** The row as JSON text, by the shape of the selection. */
  texts: ReadonlyMap<string, string>
}

export interface Shown {
  decisions: Decision[]
  /** `tooLarge` for a row that is not rendered. A deleted row is absent: the event of its deletion follows. */
  rows: ReadonlyMap<NetChange, CurrentRow | 'tooLarge'>
}

const maxConcurrentReads = 10

/**
 * Reads the rows that lists show. What a row is now may differ from what the events say: a list gets a row that has changed
 * since if it has that row now, because the event that follows may concern no member of the list.
 */
export async function withRows(
  source: EventSource,
  decisions: readonly Decision[],
  { slice, reachOf }: { slice: TimeSlice; reachOf: (entry: Entry) => RowReach | null },
): Promise<Shown> {
  const shown = decisions.filter(({ kind }) => kind === 'enter' || kind === 'change')
  const byChange = [...Map.groupBy(shown, ({ change }) => change)]
  const rows = new Map<NetChange, CurrentRow | 'tooLarge'>()
  const overtaken: { change: NetChange; entries: Entry[] }[] = []
  for (let from = 0; from < byChange.length; from += maxConcurrentReads) {
    const some = byChange.slice(from, from + maxConcurrentReads)
    await Promise.all(
      some.map(async ([change, own]) => {
        const row = await currentRow(source, change, own)
        if (row === null || row === 'tooLarge' || row.version === change.version) {
          if (row !== null) rows.set(change, row)
          return
        }
        const { version, values } = row
        const since = { ...change, version, changed: null, states: [null, values] }
        rows.set(since, row)
        overtaken.push({ change: since, entries: own.map(({ entry }) => entry) })
      }),
    )
    await slice.pause()
  }
  const decidedAgain = overtaken.length === 0 ? [] : await decide(source.data, overtaken, reachOf)
  const others = decisions.filter(
    ({ kind, change }) => (kind !== 'enter' && kind !== 'change') || rows.has(change),
  )
  return { decisions: [...others, ...decidedAgain], rows }
}

const version = { kind: 'field', as: 'version', field: columnField('version', 'integer') } as const

async function currentRow(
  { data, context }: EventSource,
  { id }: NetChange,
  own: readonly Decision[],
): Promise<CurrentRow | 'tooLarge' | null> {
  const [first] = own
  if (first === undefined) return null
  const { source } = first.entry.list
  const selections = new Map(
    own.map(({ entry: { list } }) => [selectionShape(list.selection), list.selection]),
  )
  const selection = [...unionOf([...selections.values(), comparedMembers(source.model)]), version]
  try {
    const json = await readOne(data, { entity: source.model, selection, filter: hasKey(source.model, id) })
    if (json === null) return null
    const values: Record<string, unknown> & { version: number } = JSON.parse(json)
    const texts = await projected(json, selections, (text) => source.complete(context, text))
    return { version: values.version, values, texts }
  } catch (error) {
    if (error instanceof RowTooLarge) return 'tooLarge'
    throw error
  }
}

const compared = new WeakMap<ReadModel, Selection>()

function comparedMembers(model: ReadModel): Selection {
  let selection = compared.get(model)
  if (selection === undefined) {
    const fields = [...model.fields.values()].filter(
      ({ kind, completed }) => kind !== 'json' && completed === undefined,
    )
    selection = fields.map((field) => ({ kind: 'field', as: field.name, field }) as const)
    compared.set(model, selection)
  }
  return selection
}

async function projected(
  json: string,
  selections: ReadonlyMap<string, Selection>,
  complete: (text: string) => Promise<string>,
): Promise<Map<string, string>> {
  const row = parseRows(json)
  const texts = new Map<string, string>()
  for (const [shape, selection] of selections)
    texts.set(shape, await complete([...project(row, selection)].join('')))
  return texts
}
