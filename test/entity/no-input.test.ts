/** An entity of which callers write nothing: its rows are created and changed by actions and hooks. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, oneOf } from '../../src/index.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const ticket = entity('ticket', { fields: { state: oneOf('open', 'done').default('open').readOnly() } })

onEitherDatabase('An entity without a member to write', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { features: migrated([ticket]) })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('is created and changed in GraphQL without an input', async () => {
    const ask = async (query: string) => {
      const { status, body } = await tenant.admin.post('/graphql', { query })
      assert.deepEqual([status, body.errors], [200, undefined])
      return body.data
    }
    const { createTicket } = await ask('mutation { createTicket { id state } }')
    assert.equal(createTicket.state, 'open')
    const changed = await ask(`mutation { updateTicket(id: "${createTicket.id}") { id } }`)
    assert.equal(changed.updateTicket.id, createTicket.id)
    assert.equal((await ask('{ tickets { nodes { id } } }')).tickets.nodes.length, 1)
  })
})
