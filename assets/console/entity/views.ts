/** Views of a list: those of the definition, and those that users have saved. */
import { densityIn } from '../densities.ts'
import type { EntityDescription } from '../describe.ts'
import type { LayoutName } from './list-layout.ts'
import type { Widths } from './widths.ts'

/** A view as the service stores it. */
export interface StoredView {
  id: string
  name: string
  query: Readonly<Record<string, string>>
  columns: readonly { name: string; width?: number }[]
  group: string | null
  layout: LayoutName
  density: string | null
  sharedWith: 'nobody' | 'everybody' | 'roles'
  isDefaultFor: readonly string[]
  isOwn: boolean
  isChangeable: boolean
}

export interface ListView {
  /** The name of the view in the address. */
  key: string
  label: string
  /** The parameters of the address without that name. */
  parameters: Readonly<Record<string, string>>
  /** `null` for a view of the definition. */
  stored: StoredView | null
}

/** Parameters of the address that are not saved in views. */
const unsavedParameters = ['view', 'cursor', 'peek', 'month']

export function declaredViews({ console: hints, fields }: EntityDescription): ListView[] {
  const memberOf = (name: string) => fields.find((field) => (field.relation ?? field.name) === name)?.name
  return (hints?.list?.views ?? []).map(({ name, label, filter, sort, layout, group }) => ({
    key: name,
    label,
    parameters: {
      ...filter,
      ...(sort !== undefined && { sort }),
      ...(layout !== undefined && layout !== 'table' && { layout }),
      ...(group !== undefined && { group: memberOf(group) ?? group }),
    },
    stored: null,
  }))
}

export function viewOf(stored: StoredView): ListView {
  const { id, name, query, columns, group, layout, density } = stored
  const parameters = {
    ...query,
    ...(columns.length > 0 && { columns: columns.map((column) => column.name).join(',') }),
    ...(group !== null && { group }),
    ...(layout !== 'table' && { layout }),
    ...(density !== null && { density }),
  }
  return { key: id, label: name, parameters, stored }
}

export function widthsOf({ columns }: StoredView): Widths {
  return Object.fromEntries(
    columns.flatMap(({ name, width }) => (width === undefined ? [] : [[name, width] as const])),
  )
}

/** @returns the state of the list, from the address, in the form of a view */
export function contentOf(query: URLSearchParams, widths: Widths) {
  const { columns, group, layout, density, ...parameters } = parametersOf(query)
  const names = columns?.split(',') ?? []
  return {
    query: parameters,
    columns: names.map((name) => {
      const width = Object.hasOwn(widths, name) ? widths[name] : undefined
      return { name, ...(width !== undefined && { width }) }
    }),
    group: group ?? null,
    layout: layout ?? 'table',
    density: densityIn(density),
  }
}

function parametersOf(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].filter(([name]) => !unsavedParameters.includes(name)))
}

/** Whether the address differs from the view. */
export function isChanged({ parameters }: ListView, query: URLSearchParams): boolean {
  const line = (each: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(each).toSorted())
  return line(parameters) !== line(parametersOf(query))
}
