/** How the routes of entities are called for rows of another tenant: as the descriptions of the entities say. */
import { exampleOf } from '../../src/api/openapi/example.ts'
import type { EntityDescription } from '../../src/core/feature/entity-description.ts'
import { inputOf, plainFieldsOf } from '../support/entity-rows.ts'
import { type Names, rowOf } from '../support/names.ts'
import { uniqueName } from '../support/service.ts'
import type { Recipe } from './recipe.ts'

/** By method and path. */
export function entityRecipes(entities: readonly EntityDescription[]): Record<string, Recipe> {
  return Object.assign({}, ...entities.map(recipesOf))
}

function recipesOf(entity: EntityDescription): Record<string, Recipe> {
  const { name, operations, actions, hasRights, hasHistory, trashDays } = entity
  const idOf = (names: Names) => rowOf(names, name)
  const one = { path: (names: Names) => ({ id: idOf(names) }) }
  const { list, get, create, change, delete: removal } = operations
  const version = { path: (names: Names) => ({ id: idOf(names), version: '1' }) }
  const plain = { fields: plainFieldsOf(entity) }
  const mayBulk = change ?? removal ?? actions[0] ?? create
  return {
    ...(list !== undefined && { [routeOf(list)]: {} }),
    ...(get !== undefined && { [routeOf(get)]: one }),
    ...(hasRights && get !== undefined && { [`GET ${get.path}/rights`]: one }),
    ...(hasHistory &&
      get !== undefined && {
        [`GET ${get.path}/history`]: one,
        [`GET ${get.path}/history/:version`]: version,
      }),
    ...(hasHistory && change !== undefined && { [`POST ${change.path}/history/:version/restore`]: version }),
    ...(trashDays !== null &&
      create !== undefined && {
        [`POST ${create.path}/:id/restore`]: {
          path: (names) => ({ id: names.deleted[name] ?? idOf(names) }),
        },
      }),
    ...(create !== undefined && {
      // An id that is given is not that of the new row.
      [routeOf(create)]: {
        body: (names) => ({ ...inputOf(entity, uniqueName('mine'), names.rows), id: idOf(names) }),
      },
    }),
    // Nothing but the row itself may be what is missing.
    ...(change !== undefined && {
      [`PUT ${change.path}`]: { ...one, body: () => inputOf(plain, uniqueName('mine'), {}) },
      [routeOf(change)]: { ...one, body: () => inputOf(plain, uniqueName('mine'), {}) },
    }),
    ...(removal !== undefined && { [routeOf(removal)]: one }),
    ...(mayBulk !== undefined && {
      [`POST ${mayBulk.path.split('/:id')[0]}/bulk`]: {
        echoed: idOf,
        body: (names) =>
          mayBulk === create
            ? { do: 'create', rows: [inputOf(entity, uniqueName('mine'), names.rows)] }
            : { ids: [idOf(names)], do: removal === undefined ? (actions[0]?.name ?? 'change') : 'delete' },
      },
    }),
    ...Object.fromEntries(
      actions.map((action) => [
        routeOf(action),
        { ...one, ...(action.input !== null && { body: () => exampleOf(action.input) }) },
      ]),
    ),
  }
}

function routeOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`
}
