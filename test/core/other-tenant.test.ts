/** Contexts for another tenant, and for a separate transaction of the catalogue, keep what belongs to the request. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Context, Tenant } from '../../src/core/context.ts'
import { forTenant, requestContext, webhookContext } from '../../src/core/create-context.ts'
import { newId } from '../../src/core/id.ts'
import { currentTenant } from '../../src/core/tenant/directory.ts'
import { withTenantDatabase } from '../../src/core/tenant/with-database.ts'
import { inCatalogueFirst, inTransaction } from '../../src/core/transaction.ts'
import { onEachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

onEachDatabase('A context for another tenant', (database) => {
  let service: TestService
  let operator: Context
  let other: Tenant
  before(async () => {
    service = await startService(database)
    operator = await service.service.operator()
    const { id } = await service.newTenant({ connectionString: 'Data Source=other.db' })
    other = await tenantOf(id)
  })
  after(() => service.stop())

  async function tenantOf(id: string): Promise<Tenant> {
    const tenant = await currentTenant(operator, id)
    if (tenant === null) throw new Error('There is no such tenant.')
    return tenant
  }

  it('has the signal of the request', () => {
    const { signal } = new AbortController()
    const source = { id: newId(), ip: '127.0.0.1', userAgent: null, signal: () => signal }
    const { shared, actor, tenant } = operator
    const context = requestContext(shared, source, { actor, tenant, idempotency: null, database: null })
    const made = forTenant(context, other)
    assert.deepEqual([made.tenant.id, made.signal, made.requestId], [other.id, signal, source.id])
  })

  it('has the place of a webhook in its chain, and its authority', () =>
    inTransaction(operator, async (inside) => {
      const made = forTenant(webhookContext(inside, { hops: 3, origin: 'evt_1' }), other)
      assert.deepEqual(
        [made.hops, made.origin, made.authority, made.transaction],
        [3, 'evt_1', 'tenant', null],
      )
    }))

  it('writes to the catalogue beside a transaction of its own database with the connections of the tenant', () =>
    withTenantDatabase(operator.shared, other, (own) =>
      inTransaction(forTenant(operator, other, own), (inside) =>
        inCatalogueFirst(inside, async ({ transactionDatabase, tenant, shared }) => {
          assert.deepEqual([transactionDatabase === shared.catalogueDatabase, tenant.id], [true, other.id])
          const usage = shared.catalogueDatabase.connectionUsage?.() ?? []
          const held = usage.filter(({ use, held: count }) => use === 'write' && count > 0)
          assert.deepEqual(
            held.map(({ user }) => user),
            database === 'postgres' ? ['tenant'] : [],
          )
        }),
      ),
    ))
})
