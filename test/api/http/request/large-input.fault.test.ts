/** Each kind of large value in each member of each body: half of them on each database. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { atAnyCost, startService, type TestService } from '../../../support/service.ts'
import { assertCheap } from './large/cost.ts'
import { largeMessages, largeWebhooks } from './large/messages.ts'
import { largeHeaders, largeRequests } from './large/requests.ts'
import { sheetFeature } from './large/sheet.ts'

onEitherDatabase('Every large body', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { ...atAnyCost, features: [sheetFeature] })
  })
  after(() => service.stop())

  it('is answered soon, and without a failure', async () => {
    const tenant = await service.newTenant()
    const requests = [
      ...largeRequests(service, service.host),
      ...largeHeaders(service.host),
      ...(await largeWebhooks(service, tenant)),
      ...largeMessages(service, tenant),
    ]
    assert.ok(requests.length > 2500, `only ${requests.length} requests`)
    // What is refused is refused before the database is asked: one of the two is enough.
    const sent = requests.filter((_, place) => place % 2 === (database === 'sqlite' ? 0 : 1))
    for (const request of sent) await assertCheap(request)
    assert.equal((await service.anonymous.get('/health')).status, 200)
  })
})
