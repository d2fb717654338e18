import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../../support/client.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { type Instance, startInstance } from '../../support/instance.ts'
import { runsOf } from '../../support/run/extent.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

const refreshes = runsOf(12, 50)

onEachDatabase('Many parallel refreshes with one token', (database) => {
  let service: IdentityService
  let other: Instance | null = null
  before(async () => {
    service = await sharedIdentityService(database)
    if (database === 'postgres') other = await startInstance(service, { clock: service.clock.now })
  })
  after(async () => {
    await other?.stop()
    await service.stop()
  })

  it('give one and the same successor, and sign nobody out', async () => {
    const tenant = await service.newTenant()
    const { refreshToken } = await service.signIn('worker', tenant.id)
    const instances: Client[] = [service.anonymous, other?.anonymous ?? service.anonymous]
    const answers = await Promise.all(
      Array.from({ length: refreshes }, (_, index) =>
        instances[index % 2]?.post('/api/auth/refresh', { refreshToken }),
      ),
    )
    assert.deepEqual(
      answers.map((answer) => answer?.status),
      Array<number>(refreshes).fill(200),
    )
    const successors = new Set(answers.map((answer) => answer?.body.refreshToken))
    assert.equal(successors.size, 1)
    assert.ok(!successors.has(refreshToken))
    for (const answer of answers) {
      const me = await service.anonymous.withToken(answer?.body.accessToken).get('/api/auth/me')
      assert.equal(me.status, 200)
    }
    const ofTenant = `SELECT id FROM session WHERE tenant_id = '${tenant.id}'`
    const live = `SELECT count(*) AS count FROM refresh_token WHERE rotated_at IS NULL AND session_id IN (${ofTenant}) GROUP BY session_id`
    const counts = await inspect(service.config.databaseUrl, live)
    assert.deepEqual(
      counts.map(({ count }) => Number(count)),
      counts.map(() => 1),
    )
    const [successor] = successors
    assert.equal((await service.anonymous.post('/api/auth/refresh', { refreshToken: successor })).status, 200)
  })
})
