import assert from 'node:assert/strict'
import { it } from 'node:test'
import { entity, integer, text } from '../../../src/index.ts'
import { startService } from '../../support/service.ts'
import { migrated } from '../migrated.ts'

const probe = entity('probe', { fields: { search: text(), weight: integer().default(1) } })

it('A bulk request finds rows by a field that is called search, as their list does', async () => {
  const service = await startService('sqlite', {}, { features: migrated([probe]) })
  try {
    const { user } = await service.newTenant()
    const { body } = await user.post('/api/probes', { search: 'deep' })
    await user.post('/api/probes', { search: 'wide' })
    assert.deepEqual((await user.get('/api/probes?search=deep')).body, [body])
    const request = { query: { search: 'deep' }, count: 1, do: 'change', input: { weight: 2 } }
    const changed = await user.post('/api/probes/bulk', request)
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(
      changed.body.rows.map(({ id }: { id: string }) => id),
      [body.id],
    )
  } finally {
    await service.stop()
  }
})
