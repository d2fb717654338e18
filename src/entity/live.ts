/** The source of live lists: it renders and filters the rows of an entity for clients that follow a list. */
import type { Context } from '../core/context.ts'
import { invalidField } from '../core/errors.ts'
import type { LiveSource } from '../core/feature/live-source.ts'
import { selectionOf } from './chosen-members.ts'
import type { Shape } from './definition.ts'
import { actionEvents } from './event.ts'
import { filterOf, listQueryOf } from './list.ts'
import type { EntityParts } from './parts.ts'
import type { Values } from './row.ts'
import { hasFiles, rowsWithFiles } from './row-files.ts'

/**
 * @param needs whether the entity has each of the features that read values from events: live lists, and row rules
 * @returns the members whose values events store, which are all that can be compared; `null` without these features
 */
export function eventStateMembers(
  { members }: Shape,
  needs: readonly (boolean | undefined)[],
): string[] | null {
  if (!needs.includes(true)) return null
  const compared = members.filter(({ spec }) => spec.kind !== 'json')
  return [...compared.map(({ name }) => name), 'createdAt', 'updatedAt']
}

export function liveSource(
  parts: Pick<EntityParts, 'names' | 'shape' | 'model' | 'access' | 'isLive' | 'actions'>,
): LiveSource | null {
  const { names, shape, model, access, isLive, actions } = parts
  if (!isLive) return null
  const list = listQueryOf({ model, search: [] })
  return {
    name: names.name,
    model,
    changes: new Set(['created', 'updated', 'deleted', 'restored', ...actionEvents(actions)]),
    access: access.operations.list,
    readFilter: (context, given) => filterOf(filtersIn(given, list.filters), list, { context, model }),
    select: (fields, reach) => selectionOf({ fields }, model, { reach }),
    complete: async (context, json) => (hasFiles(shape) ? await withFilesOf(context, shape, json) : json),
  }
}

/** @returns the filters with each value as text, as the query of an address has it @throws ServiceError `invalid` */
export function filtersIn(
  given: Readonly<Record<string, unknown>>,
  known: ReadonlyMap<string, unknown>,
  place = 'filter',
): Values {
  const entries = Object.entries(given).map(([name, value]) => {
    if (!known.has(name)) throw invalidField(`${place}.${name}`, 'is no filter of this list', 'unknownName')
    const each = [value].flat()
    if (!each.every(isScalar))
      throw invalidField(`${place}.${name}`, 'must be a text, a number or a boolean', 'badPattern')
    return [name, Array.isArray(value) ? each.map(String) : String(value)] as const
  })
  return Object.fromEntries(entries)
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

async function withFilesOf(context: Context, shape: Shape, json: string): Promise<string> {
  const [row] = await rowsWithFiles(context, shape, [JSON.parse(json) as Values]) // rendered by its model
  return JSON.stringify(row)
}
