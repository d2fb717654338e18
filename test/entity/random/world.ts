/** A service with random entities, and rows of each that two tenants have. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { ServiceOptions } from '../../../src/service/service-options.ts'
import type { Client } from '../../support/client.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { atAnyCost, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { migrated } from '../migrated.ts'
import { type Definition, randomDefinitions, sizeOf } from './definition.ts'
import { anyRow, expectedRow, type Row, uniqueKey } from './rows.ts'

export interface World {
  service: TestService
  definitions: readonly Definition[]
  owner: TestTenant
  /** By the path of the routes, in the order of creation. */
  stored: ReadonlyMap<string, readonly Row[]>
  seed: number
}

interface WorldOptions {
  definitions: number
  rows: number
  seed: number
  options?: ServiceOptions
}

export async function createWorld(
  database: DatabaseName,
  { definitions: count, rows, seed, options = atAnyCost }: WorldOptions,
): Promise<World> {
  const definitions = randomDefinitions(count, seed)
  const features = migrated(definitions.map(({ entity }) => entity))
  const service = await startService(database, {}, { ...options, features })
  const stored = new Map<string, Row[]>(definitions.map(({ path }) => [path, []]))
  try {
    const owner = await service.newTenant()
    for (const definition of definitions) await fill(owner.user, definition, stored, { rows, seed })
    return { service, definitions, owner, stored, seed }
  } catch (error) {
    await service.stop() // it would keep the run from ending
    throw error
  }
}

/** Rows are refused exactly if they have a value that no two may have. */
export async function fill(
  client: Client,
  definition: Definition,
  stored: Map<string, Row[]>,
  { rows, seed }: { rows: number; seed: number },
): Promise<void> {
  const { path } = definition
  const made = stored.get(path) ?? []
  const keys = new Set<string>()
  // Some values are left for other rows.
  const most = definition.unique.length === 0 ? rows : Math.min(rows, 4)
  for (let index = 0; index < rows && made.length < most; index++) {
    const [input = {}] = fc.sample(anyRow(definition, stored), { numRuns: 1, seed: seed + index })
    const { status, body, text } = await client.post(path, input)
    const key = uniqueKey(definition, expectedRow(definition, input))
    if (key !== null && keys.has(key)) {
      assert.equal(status, 400, told(definition, input, text))
      assert.match(body.message, / is taken by another /)
      continue
    }
    assert.equal(status, 201, told(definition, input, text))
    if (key !== null) keys.add(key)
    assert.deepEqual({ ...body, ...expectedRow(definition, input) }, body, told(definition, input, text))
    assertMade(definition, body, made.length + 1)
    made.push(body)
  }
  assert.ok(made.length > 0)
}

/** What the service makes: numbers, and what is computed. */
function assertMade({ members }: Definition, row: Row, number: number): void {
  for (const { name, kind } of members) {
    if (kind === 'sequence') assert.equal(row[name], number)
    if (kind === 'computed') assert.equal(row[name], sizeOf(row, members))
  }
}

export function told({ entity, members }: Definition, ...more: unknown[]): string {
  const fields = members.map(({ name, kind, presence }) => `${name}: ${presence} ${kind}`)
  return `${entity.name} { ${fields.join(', ')} } ${more.map((each) => JSON.stringify(each)).join(' ')}`
}
