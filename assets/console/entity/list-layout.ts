/** The layout of a list: a table, a board with a column for each word, or a calendar of days. */
import { allFields, type EntityDescription, type FieldDescription } from '../describe.ts'
import { groupedSort, isGrouping } from './group.ts'

export type LayoutName = 'table' | 'board' | 'calendar'

export interface ListLayout {
  name: LayoutName
  /** The field that makes the groups of a table, the columns of a board, or the days of a calendar. */
  field: FieldDescription | null
}

const kinds: Readonly<Record<LayoutName, (field: FieldDescription) => boolean>> = {
  table: isGrouping,
  board: ({ kind }) => kind === 'enum',
  calendar: ({ kind }) => kind === 'date',
}

export function fieldsFor(entity: EntityDescription, layout: LayoutName): FieldDescription[] {
  return allFields(entity).filter(kinds[layout])
}

/** @returns the layouts that the fields of the entity allow */
export function layoutsOf(entity: EntityDescription): LayoutName[] {
  return (['table', 'board', 'calendar'] as const).filter(
    (name) => name === 'table' || fieldsFor(entity, name).length > 0,
  )
}

/** @returns the layout from the address, as far as the entity has fields for it */
export function layoutOf(entity: EntityDescription, query: URLSearchParams): ListLayout {
  const name = layoutsOf(entity).find((each) => each === query.get('layout')) ?? 'table'
  const fields = fieldsFor(entity, name)
  const group = query.get('group') ?? entity.console?.list?.group ?? null
  const named =
    group === null ? undefined : fields.find((field) => field.name === group || field.relation === group)
  // A board prefers a field that the user or an action can change, so that its cards can be moved.
  const usual = fields.find((field) => !field.isReadOnly || isSetByAction(entity, field)) ?? fields[0]
  return { name, field: named ?? (name === 'table' ? null : (usual ?? null)) }
}

/** @param request the parameters of the list @returns those for its rows in the order of the layout */
export function arranged(
  { name, field }: ListLayout,
  request: Readonly<Record<string, string>>,
): Record<string, string> {
  if (name !== 'table' || field === null) return request
  return { ...request, sort: groupedSort(request['sort'], field) }
}

/** @returns the parameters for the rows of some days, which are narrower if the list has a filter for their field */
export function withinDays(
  request: Readonly<Record<string, string>>,
  name: string,
  [first, last]: readonly [string, string],
): Record<string, string> {
  const { [`${name}[gte]`]: from = first, [`${name}[lte]`]: to = last } = request
  return {
    ...request,
    [`${name}[gte]`]: from > first ? from : first,
    [`${name}[lte]`]: to < last ? to : last,
  }
}

/** Whether any action sets the field. */
export function isSetByAction({ actions }: EntityDescription, { name }: FieldDescription): boolean {
  return actions.some(({ to }) => Object.hasOwn(to, name))
}
