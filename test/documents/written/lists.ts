/** What documents say of the lists, from the routes and the GraphQL fields themselves. */
import type { TObject, TSchema } from 'typebox'
import type { Feature } from '../../../src/core/feature/feature.ts'
import type { EntityQueryField, QueryField } from '../../../src/core/feature/field.ts'
import type { Route } from '../../../src/core/feature/route.ts'
import { code, tableOf } from './table.ts'

const general = ['limit', 'cursor', 'sort', 'fields', 'count', 'search']

export function listsTables(features: readonly Feature[]): string {
  return `${growingLists(features)}\nThese lists have no pages:\n\n${boundedLists(features)}`
}

function growingLists(features: readonly Feature[]): string {
  const rows = features.flatMap((feature) =>
    listsOf(feature)
      .filter(({ bounded }) => bounded === undefined)
      .map((list) => {
        const names = parametersOf(list)
        const members = new Set(names.map((name) => name.replace(/\[\w+\]$/, '')))
        return [
          code(list.path),
          codes(general.filter((name) => names.includes(name))),
          codes([...members].filter((name) => !general.includes(name))),
          codes(fieldsOf(feature, list)),
        ]
      }),
  )
  return tableOf(['List', 'Parameters', 'Filters', 'GraphQL'], rows)
}

/** With the reason. */
function boundedLists(features: readonly Feature[]): string {
  const rows = features
    .flatMap(listsOf)
    .flatMap(({ path, bounded }) => (bounded === undefined ? [] : [[code(path), bounded]]))
  return tableOf(['List', 'Why'], rows)
}

function listsOf({ routes = [] }: Feature): Route[] {
  return routes.filter(({ method, reply }) => method === 'GET' && itemsOf(reply) !== null)
}

/** The shape of the rows of a list, or `null`. */
function itemsOf(reply: TSchema | undefined): TObject | null {
  const { type, items } = (reply ?? {}) as { type?: string; items?: TObject } // of JSON Schema
  return type === 'array' ? (items ?? null) : null
}

function parametersOf({ query }: Route): string[] {
  return query === undefined ? [] : Object.keys((query as TObject).properties) // as every query
}

/** The fields with the same rows: of those that have every member of the list, those with the fewest others. */
function fieldsOf({ graphql }: Feature, { reply }: Route): string[] {
  const members = Object.keys(itemsOf(reply)?.properties ?? {})
  const fields = Object.entries(graphql?.queries ?? {})
    .filter((entry): entry is [string, EntityQueryField] => listsRows(entry[1]))
    .map(([name, { entity }]) => ({
      name,
      known: new Set([...entity.fields.keys(), ...entity.relations.keys()]),
    }))
    .filter(({ known }) => members.every((member) => known.has(member)))
  const fewest = Math.min(...fields.map(({ known }) => known.size))
  return fields.filter(({ known }) => known.size === fewest).map(({ name }) => name)
}

function listsRows(field: QueryField): boolean {
  return field.kind === 'list' || field.kind === 'connection'
}

function codes(names: readonly string[]): string {
  return names.map(code).join(', ')
}
