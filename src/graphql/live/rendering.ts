/** Events as results for all who follow them: each row is read once, and rendered once for each different selection. */
import type { TenantData } from '../../database/data.ts'
import { selectionShape } from '../../database/read/render.ts'
import type { Selection } from '../../database/read/selection.ts'
import type { FeedEvent } from '../../event/feed.ts'
import type { TimeSlice } from '../../time-slice.ts'
import type { Root } from '../document/plan.ts'
import { refuse } from '../error.ts'
import { readRow } from '../field/read.ts'
import { isPlain, ProjectionTooLarge, parseRow, project, unionOf } from './projection.ts'
import type { Item } from './stream.ts'

export type SubscriptionRoot = Extract<Root, { kind: 'subscription' }>

/** Equal for all that are rendered alike. */
export function shapeOf({ as, field, selection }: SubscriptionRoot): string {
  return `${field.event}|${field.entity.name}|${as}|${selectionShape(selection)}`
}

/** What comes of events, by the shape of what is selected; an error where the result would be too large. */
export type Rendered = ReadonlyMap<string, Item[] | Error>

/** Rows are read side by side: one after the other, a busy database would make a feed fall behind. */
const maxReads = 10
/** Results that are in memory before anybody has them. */
const maxResults = 200

interface Group {
  field: SubscriptionRoot['field']
  /** By shape. */
  roots: Map<string, SubscriptionRoot>
  selection: Selection
  /** The database renders what is selected, because nobody selects anything else. */
  isPlain: boolean
}

export class Rendering {
  readonly #groups: Group[]
  /** How many events may be rendered at once. */
  readonly eventsAtOnce: number

  /** @param roots of all who follow, equal ones among them */
  constructor(roots: readonly SubscriptionRoot[]) {
    const byField = Map.groupBy(roots, ({ field }) => field)
    this.#groups = [...byField].map(([field, all]) => groupOf(field, all))
    const shapes = this.#groups.reduce((sum, group) => sum + group.roots.size, 0)
    this.eventsAtOnce = Math.max(1, Math.min(maxReads, Math.floor(maxResults / Math.max(1, shapes))))
  }

  /** @param events at most `eventsAtOnce` */
  async render(data: TenantData, events: readonly FeedEvent[], slice: TimeSlice): Promise<Rendered> {
    const rendered = new Map<string, Item[] | Error>()
    for (const group of this.#groups) {
      const wanted = events.filter(({ type }) => type === group.field.event)
      const rows = await Promise.all(wanted.map((event) => read(data, group, event)))
      for (const [index, event] of wanted.entries()) {
        await addResults(rendered, group, { json: rows[index] ?? null, mark: event.mark }, slice)
      }
    }
    return rendered
  }
}

function groupOf(field: SubscriptionRoot['field'], all: readonly SubscriptionRoot[]): Group {
  const roots = new Map(all.map((root) => [shapeOf(root), root]))
  const selections = [...roots.values()].map((root) => root.selection)
  const [first] = selections
  const isAlone = first !== undefined && selections.length === 1 && isPlain(first)
  return { field, roots, selection: isAlone ? first : unionOf(selections), isPlain: isAlone }
}

function read(data: TenantData, { field, selection }: Group, event: FeedEvent): Promise<string | null> {
  const id = field.idOf(JSON.parse(event.data) as never) // held to the schema of its type when it was published
  return readRow(data, { entity: field.entity, selection, id })
}

/** @param row its JSON is `null` when the row is gone by now */
async function addResults(
  rendered: Map<string, Item[] | Error>,
  group: Group,
  { json, mark }: { json: string | null; mark: string },
  slice: TimeSlice,
): Promise<void> {
  if (json === null) return
  const row = group.isPlain ? null : parseRow(json)
  for (const [shape, root] of group.roots) {
    const items = rendered.get(shape) ?? []
    if (items instanceof Error) continue
    rendered.set(shape, items)
    try {
      const text = row === null ? json : project(row, root.selection)
      items.push({ text: `{"data":{"${root.as}":${text}}}`, mark, holders: 0 })
    } catch (error) {
      if (!(error instanceof ProjectionTooLarge)) throw error
      rendered.set(shape, refuse('cost', 'The result is too large: select less.'))
    }
    await slice.pause()
  }
}
