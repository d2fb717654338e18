/** Another process writes to the SQLite file: writes wait for it, and reads do not. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'

describe('While another process writes to the file', () => {
  let service: TestService
  let tenant: TestTenant
  let foreign: DatabaseSync
  before(async () => {
    service = await startService('sqlite')
    tenant = await service.newTenant()
    foreign = new DatabaseSync(`${service.dataDir}/tenantry.db`)
  })
  after(async () => {
    foreign.close()
    await service.stop()
  })

  const create = (name: string) => tenant.user.post('/api/products', { name, price: 1 })

  /** @returns how many reads were served until it was done */
  async function readUntil(done: Promise<unknown>): Promise<number> {
    let isDone = false
    void done.finally(() => {
      isDone = true
    })
    for (let served = 0; ; served++) {
      if (isDone) return served
      assert.equal((await tenant.user.get('/api/products')).status, 200)
      if (served === 50 && foreign.isTransaction) foreign.exec('COMMIT')
    }
  }

  it('writes wait until it is done, and reads are served', async () => {
    foreign.exec('BEGIN IMMEDIATE')
    const writing = Promise.all(['a', 'b', 'c'].map(create))
    assert.ok((await readUntil(writing)) >= 50)
    assert.deepEqual(
      (await writing).map(({ status }) => status),
      [201, 201, 201],
    )
  })

  it('a write that has waited for five seconds is put off, and the next one is made when it can', async () => {
    foreign.exec('BEGIN IMMEDIATE')
    const refused = await create('late')
    assert.equal(refused.status, 503)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    const next = create('next')
    foreign.exec('COMMIT')
    assert.equal((await next).status, 201)
  })
})
