/** The exact statements of each kind of query on both databases, which also run there. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachDatabase } from '../../support/databases.ts'
import { products } from '../../support/graphql/entities.ts'
import { type Recorder, recorderOf, type Sent } from '../../support/graphql/statement-recorder.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'
import { cases, id } from './statement-cases.ts'

onEachDatabase('In GraphQL', (database) => {
  let service: TestService
  let tenant: TestTenant
  let recorder: Recorder
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    recorder = await recorderOf(service, tenant)
  })
  after(() => service.stop())

  /** Each table has a name of its own, and is restricted to the tenant by that name. */
  const assertRestricted = ({ sql, parameters }: Sent) => {
    const aliases = [...sql.matchAll(/ as "(t\d+)"/g)].map(([, alias]) => alias)
    const restricted = [...sql.matchAll(/"(t\d+)"\."tenant_id" = [?$]/g)].map(([, alias]) => alias)
    assert.deepEqual(restricted.toSorted(), aliases.toSorted(), sql)
    assert.equal(parameters.filter((value) => value === tenant.id).length, aliases.length)
  }

  for (const [title, { query, variables, values, [database]: expected }] of Object.entries(cases)) {
    it(title, async () => {
      const statements = await recorder.statementsOf(query, variables)
      assert.deepEqual(
        statements.map(({ sql }) => sql),
        expected.map((text) => text.trim().replaceAll(/\s+/g, ' ')),
      )
      assert.deepEqual(
        statements.map(({ parameters }) => parameters.filter((value) => value !== tenant.id)),
        values,
      )
      statements.forEach(assertRestricted)
    })
  }

  it('each field of the root is one statement', async () => {
    const statements = await recorder.statementsOf(`{
      a: products { id } b: products { name } categories { id } orders { nodes { id } } __typename
      product(id: "${id}") { category { name } } order(id: "${id}") { items { product { category { id } } } }
    }`)
    assert.equal(statements.length, 6)
    statements.forEach(assertRestricted)
  })

  it('no column is read that nobody asked for', async () => {
    for (const { name, column } of products.fields.values()) {
      const [statement] = await recorder.statementsOf(`{ products { ${name} } }`)
      const read = [...products.fields.values()].filter((other) =>
        statement?.sql.includes(`"t0"."${other.column}"`),
      )
      const wanted = [...new Set(['id', column])]
      assert.deepEqual(
        read.map((field) => field.column),
        wanted,
      )
    }
  })
})
