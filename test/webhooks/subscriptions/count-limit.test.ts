/** How many subscriptions a tenant may have. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { maxSubscriptions } from '../../../src/webhooks/subscriptions/limit.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { sharedService, type TestService } from '../../support/service.ts'
import { copyRow } from '../../support/webhooks/copies.ts'
import { path, receiver, register } from './registration.ts'

onEachDatabase('The subscriptions of a tenant', (database) => {
  let service: TestService
  before(async () => {
    service = await sharedService(database)
  })
  after(() => service.stop())

  it('are a hundred at most, also when twenty are registered at once', async () => {
    const { user } = await service.newTenant()
    const free = 5
    const { id } = await register(user)
    await copyRow(service.service, 'subscription', id, maxSubscriptions - free - 1)
    const answers = await Promise.all(Array.from({ length: 20 }, () => user.post(path, receiver)))
    const refused = answers.filter(({ status }) => status !== 201)
    assert.equal(refused.length, 20 - free)
    for (const answer of refused) assertError(answer, 400, 'A tenant has 100 subscriptions at most.')
    const { body } = await user.get(`${path}?limit=200`)
    assert.equal(body.length, maxSubscriptions)

    await user.delete(`${path}/${body[0].id}`)
    await register(user)
    assertError(await user.post(path, receiver), 400)
  })

  it('have five waits of their own at most, so that the sixth attempt is the last', async () => {
    const { user } = await service.newTenant()
    const withWaits = (count: number) =>
      user.post(path, { ...receiver, retrySeconds: Array.from({ length: count }, () => 1) })
    assertError(await withWaits(6), 400, /^retrySeconds: /)
    assert.equal((await withWaits(5)).status, 201)
  })

  it('are counted for each tenant alone', async () => {
    const { user } = await service.newTenant()
    await register(user)
  })
})
