import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestService, type TestService } from '../../src/testing.ts'
import { memo } from './own-rows.ts'

let service: TestService
before(async () => {
  service = await createTestService({ config: new URL('tenantry.config.ts', import.meta.url) })
})
after(() => service.stop())

test('a memo is its owner’s', async () => {
  const tenant = await service.newTenant()
  const [ada, bob] = [await tenant.newUser(), await tenant.newUser()]
  const { id } = await tenant.as(ada, (context) => memo.create(context, { text: 'Mine' }))
  assert.equal((await tenant.as(ada, (context) => memo.find(context, id)))?.ownerId, ada.userId)
  assert.equal(await tenant.as(bob, (context) => memo.find(context, id)), null)
  assert.equal((await bob.get(`/api/memos/${id}`)).status, 404)
  assert.deepEqual((await bob.get('/api/memos')).body, [])
  assert.equal((await tenant.admin.get(`/api/memos/${id}`)).status, 200)
})
