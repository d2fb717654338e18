/** Another program holds a tenant's file with an exclusive lock while the service opens it. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { startService, type TestService, type TestTenant } from '../support/service.ts'

const reads = 50

describe('A tenant’s file that another program holds', () => {
  let service: TestService
  let other: TestTenant
  before(async () => {
    service = await startService('sqlite')
    other = await service.newTenant()
    mkdirSync(join(service.dataDir, 'tenants'))
  })
  after(() => service.stop())

  async function hold(name: string): Promise<{ holder: DatabaseSync; tenant: TestTenant }> {
    const tenant = await service.newTenant()
    const holder = new DatabaseSync(join(service.dataDir, 'tenants', name))
    holder.exec('CREATE TABLE note (text); BEGIN EXCLUSIVE')
    const connectionString = `sqlite:${name}`
    const changed = await service.host.put(`/api/tenants/${tenant.id}`, { connectionString })
    assert.equal(changed.status, 200, changed.text)
    return { holder, tenant }
  }

  it('is waited for while others are served, and is served when it is free', async () => {
    const { holder, tenant } = await hold('held.db')
    let isAnswered = false
    const answer = tenant.user.get('/api/products').finally(() => {
      isAnswered = true
    })
    for (let count = 0; count < reads; count++) {
      assert.equal((await other.user.get('/api/products')).status, 200)
      assert.equal(isAnswered, false)
    }
    holder.exec('COMMIT')
    assert.equal((await answer).status, 200)
    holder.close()
  })

  it('is 503 for its tenant when it is held for long, and tried again by who asks next', async () => {
    const { holder, tenant } = await hold('long.db')
    const refused = await tenant.user.get('/api/products')
    assert.equal(refused.status, 503)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal((await service.anonymous.get('/health/ready')).status, 200)
    holder.exec('COMMIT')
    holder.close()
    assert.equal((await tenant.user.get('/api/products')).status, 200)
  })
})
