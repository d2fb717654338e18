/** Checks the hints for the list of an entity: how the list looks at first, and the views that it offers. */
import { defined } from '../../core/defined.ts'
import { type ConsoleHints, densities, type ListLayout, layouts } from '../../core/feature/console-hints.ts'
import { maxPageSize } from '../../core/page.ts'
import type { FieldSpec } from '../field.ts'
import type { HintCheck } from './hint-check.ts'
import type { AnyConsoleOptions } from './options.ts'

export const listHintNames = { columns: 0, sort: 0, density: 0, views: 0, group: 0, pageSize: 0 }

export function listHints(
  check: HintCheck,
  list: NonNullable<AnyConsoleOptions['list']>,
): NonNullable<ConsoleHints['list']> {
  const place = 'console.list'
  check.requireMembers(place, list, listHintNames)
  const { sort, density, views, group, pageSize } = list
  if (density !== undefined) check.fields.oneOf(`${place}.density`, density, densities, 'no density')
  if (pageSize !== undefined && !(Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= maxPageSize))
    check.fields.refuse(`${place}.pageSize`, `write a whole number from 1 to ${maxPageSize}`)
  return {
    ...defined({ density, pageSize }),
    ...(sort !== undefined && { sort: check.sort(`${place}.sort`, sort) }),
    ...(group !== undefined && { group: check.fields.named(`${place}.group`, group).member }),
    ...(views !== undefined && { views: views.map((view) => viewOf(check, view)) }),
  }
}

/** The kinds of fields by which a layout can group its rows. */
const groupsOf: { readonly [L in ListLayout]?: readonly FieldSpec['kind'][] } = {
  board: ['enum'],
  calendar: ['date', 'timestamp'],
}

type View = NonNullable<NonNullable<AnyConsoleOptions['list']>['views']>[number]

function viewOf(check: HintCheck, { name, filter, sort, layout, group }: View) {
  const place = `console.list.views.${name}`
  if (layout !== undefined) check.fields.oneOf(`${place}.layout`, layout, layouts, 'no layout')
  const kinds = layout === undefined ? undefined : groupsOf[layout]
  if (kinds !== undefined && group === undefined)
    check.fields.refuse(place, `a ${layout} needs group, of ${kinds.join(' or ')}`)
  return {
    name,
    label: name,
    filter: check.condition(`${place}.filter`, filter),
    ...(sort !== undefined && { sort: check.sort(`${place}.sort`, sort) }),
    ...defined({ layout }),
    ...(group !== undefined && { group: check.fields.named(`${place}.group`, group, kinds).member }),
  }
}
