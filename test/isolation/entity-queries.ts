/** How the GraphQL fields of entities are called for rows of another tenant: as their features declare them. */
import type { DescribedField, EntityDescription } from '../../src/core/feature/entity-description.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import type { MutationField, QueryField } from '../../src/core/feature/field.ts'
import { entitiesOf, inputOf, plainFieldsOf } from '../support/entity-rows.ts'
import { rowOf } from '../support/names.ts'
import { uniqueName } from '../support/service.ts'
import type { Asked, Recipe, Targets } from './graphql-recipe.ts'

type Fields = readonly Omit<DescribedField, 'fields'>[]

/** By the names of the fields of Query and Mutation. */
export function entityQueries(features: readonly Feature[]): Record<string, Recipe> {
  const entities = entitiesOf(features)
  const recipes: Record<string, Recipe> = {}
  for (const { graphql } of features) {
    for (const [name, field] of Object.entries({ ...graphql?.queries, ...graphql?.mutations })) {
      const entity = entityOf(field, entities)
      if (entity === undefined) continue
      recipes[name] = 'run' in field ? changeWith(name, field, entity) : readWith(name, field, entity)
    }
  }
  return recipes
}

/** Of the model of a field. */
export function entityOf(
  field: QueryField | MutationField | { entity: { name: string } },
  entities: readonly EntityDescription[],
): EntityDescription | undefined {
  const model = 'entity' in field ? field.entity.name : ''
  return entities.find(({ name }) => name.toLowerCase() === model.toLowerCase())
}

/** What is read of each row: its scalars, its lists, and a part of the rows to which it refers. */
export function selectionOf({ fields }: Pick<EntityDescription, 'fields'>): string {
  const lists = fields.filter(({ kind }) => kind === 'many')
  const scalars = fields.filter(({ kind }) => kind !== 'many')
  return `{ id ${namesOf(scalars)} ${lists.map((list) => `${list.name} { ${namesOf(list.fields)} }`).join(' ')} }`
}

function namesOf(fields: Fields): string {
  return fields
    .flatMap(({ name, relation }) => [name, ...(relation === null ? [] : [`${relation} { id }`])])
    .join(' ')
}

function readWith(name: string, field: QueryField, entity: EntityDescription): Recipe {
  const row = selectionOf(entity)
  if (field.kind === 'one')
    return (targets) => [
      {
        query: `query ($id: UUID!) { ${name}(id: $id) ${row} }`,
        variables: { id: rowOf(targets, entity.name) },
      },
    ]
  const filter = `${'entity' in field ? field.entity.name : ''}FilterInput`
  const bodies = {
    object: [],
    list: [row],
    connection: [`{ totalCount nodes ${row} edges { cursor node { id } } pageInfo { hasNextPage } }`],
    aggregate: ['{ count max { createdAt } }', '{ count key { id } }'],
  }[field.kind]
  return (targets) =>
    bodies.flatMap((selected) =>
      filtersOf(entity, targets).map((where) => {
        const grouped = selected.includes('key') ? ', groupBy: [id]' : ''
        return {
          query: `query ($where: ${filter}) { ${name}(where: $where${grouped}) ${selected} }`,
          variables: { where },
        }
      }),
    )
}

/** None, and each way of naming a foreign row or a text of one. */
function filtersOf({ name, fields }: EntityDescription, targets: Targets): (object | null)[] {
  const { rows, word } = targets
  const lists = fields.filter(({ kind }) => kind === 'many')
  return [
    null,
    { id: { eq: rowOf(targets, name) } },
    ...fields.flatMap((field) => fieldFilters(field, rows, word)),
    ...lists.flatMap((list) =>
      list.fields
        .flatMap((field) => fieldFilters(field, rows, word))
        .map((where) => ({ [list.name]: { some: where } })),
    ),
  ]
}

function fieldFilters(
  { name, kind, relation, entity }: Fields[number],
  rows: Targets['rows'],
  word: string,
): object[] {
  if (kind === 'text') return [{ [name]: { contains: word } }]
  const id = rows[entity ?? '']
  if (relation === null || id === undefined) return []
  return [{ [name]: { eq: id } }, { [relation]: { id: { eq: id } } }]
}

function changeWith(name: string, field: MutationField, entity: EntityDescription): Recipe {
  const { id, input } = field.args
  const declared = [...(id ? ['$id: UUID!'] : []), ...(input ? [`$input: ${typeOf(input)}!`] : [])]
  const given = [...(id ? ['id: $id'] : []), ...(input ? ['input: $input'] : [])]
  // What is created differs.
  const selected = id ? selectionOf(entity) : '{ __typename }'
  const query = `mutation (${declared.join(', ')}) { ${name}(${given.join(', ')}) ${selected} }`
  return (targets): Asked[] => {
    const text = uniqueName('mine')
    // Nothing but the row itself may be what is missing.
    const values = id
      ? inputOf({ fields: plainFieldsOf(entity) }, text, {})
      : inputOf(entity, text, targets.rows)
    return [
      {
        query,
        variables: { ...(id && { id: rowOf(targets, entity.name) }), ...(input && { input: values }) },
      },
    ]
  }
}

function typeOf(schema: object): string {
  return '$id' in schema ? String(schema.$id) : ''
}
