/** Rows of every entity, made as the descriptions of the entities say. */
import assert from 'node:assert/strict'
import { Compile } from 'typebox/compile'
import { exampleOf } from '../../src/api/openapi/example.ts'
import type { DescribedField, EntityDescription } from '../../src/core/feature/entity-description.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import { declaredEntities } from '../../src/service/declared-entities.ts'
import type { Client } from './client.ts'

/** Ids by the names of the entities. */
export type Rows = Readonly<Record<string, string>>

export function entitiesOf(features: readonly Feature[]): EntityDescription[] {
  return declaredEntities(features).map((describe) => describe())
}

/** As the service describes them to somebody who may see them all. */
export async function readEntities(admin: Client): Promise<EntityDescription[]> {
  const { status, text, body } = await admin.get('/api/entities')
  assert.equal(status, 200, text)
  return body
}

/**
 * A row of each entity, and before it those to which it refers.
 * @param textFor what its texts contain, where their form allows it
 */
export async function makeRows(
  client: Client,
  entities: readonly EntityDescription[],
  textFor: (entity: EntityDescription) => string,
): Promise<Rows> {
  const rows: Record<string, string> = {}
  const begun = new Set<string>()
  const make = async (entity: EntityDescription): Promise<void> => {
    begun.add(entity.name)
    for (const target of entities) if (refersTo(entity, target) && !begun.has(target.name)) await make(target)
    if (entity.operations.create === undefined) return
    rows[entity.name] = await makeRow(client, entity, textFor(entity), rows)
  }
  for (const entity of entities) if (!begun.has(entity.name)) await make(entity)
  return rows
}

/** One row, with those to which it refers. @returns its id */
export async function makeRowOf(
  client: Client,
  entities: readonly EntityDescription[],
  name: string,
  text: string,
): Promise<string> {
  const needed = withTargets(entities, name)
  const id = (await makeRows(client, needed, () => text))[name]
  assert.ok(id, `no caller can create a row of ${name}`)
  return id
}

/** The members that callers give. @param rows those to which it may refer */
export function inputOf(
  { fields }: { fields: readonly AnyField[] },
  text: string,
  rows: Rows,
): Record<string, unknown> {
  const given = fields
    .filter(({ isReadOnly }) => !isReadOnly)
    .map((field) => [field.name, givenFor(field, text, rows)])
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/** The members that no other row is needed for. */
export function plainFieldsOf({ fields }: EntityDescription): DescribedField[] {
  return fields.filter(({ kind }) => kind !== 'reference' && kind !== 'many')
}

/** Sends a request of a description for the row with this id. */
export async function callOf(
  client: Client,
  { method, path }: { method: string; path: string },
  id: string,
  body?: unknown,
): Promise<void> {
  const { status, text } = await client.send(method, path.replace(':id', id), body)
  assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
}

type AnyField = Omit<DescribedField, 'fields'> & Partial<Pick<DescribedField, 'fields'>>

/** @returns `undefined` for a reference to no row */
function givenFor(field: AnyField, text: string, rows: Rows): unknown {
  const { kind, schema, entity, fields = [] } = field
  if (kind === 'reference') return rows[entity ?? '']
  if (kind === 'many') return [inputOf({ fields }, text, rows)]
  // A text of a certain form, such as a currency, is that of the example.
  return kind === 'text' && Compile(schema as object).Check(text) ? text : exampleOf(schema)
}

async function makeRow(client: Client, entity: EntityDescription, text: string, rows: Rows): Promise<string> {
  const { method = '', path = '' } = entity.operations.create ?? {}
  const made = await client.send(method, path, inputOf(entity, text, rows))
  assert.equal(made.status, 201, `${method} ${path}: ${made.text}`)
  return made.body.id
}

function refersTo({ fields }: EntityDescription, target: EntityDescription): boolean {
  return fields.some((field) => [field, ...field.fields].some(({ entity }) => entity === target.name))
}

function withTargets(entities: readonly EntityDescription[], name: string): EntityDescription[] {
  const found = new Set(entities.filter((entity) => entity.name === name))
  for (const entity of found) for (const target of entities) if (refersTo(entity, target)) found.add(target)
  return [...found]
}
