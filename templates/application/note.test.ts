import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestService, type TestService } from 'tenantry/testing'

let service: TestService
before(async () => {
  service = await createTestService()
})
after(() => service.stop())

test('a note is created, and its event is published', async () => {
  const tenant = await service.newTenant()
  const made = await tenant.user.post('/api/notes', { title: 'Buy oak' })
  assert.equal(made.status, 201)
  assert.equal((await tenant.user.get(`/api/notes/${made.body.id}`)).body.title, 'Buy oak')
  assert.equal((await tenant.events()).at(-1)?.type, 'note.created')
})

test('another tenant has no such note', async () => {
  const [one, other] = [await service.newTenant(), await service.newTenant()]
  const { body } = await one.user.post('/api/notes', { title: 'Ours' })
  assert.equal((await other.user.get(`/api/notes/${body.id}`)).status, 404)
})
