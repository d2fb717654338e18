/** Random changes, and clients that resume anywhere: each list equals a fresh read. */
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { onEachDatabase } from '../../support/databases.ts'
import { runSeed, runsOf } from '../../support/run/extent.ts'
import { atAnyCost, startService, type TestService } from '../../support/service.ts'
import { Model } from './model.ts'
import { taskApp } from './task-app.ts'

/** Longer than rights are kept. */
const rightsMs = 1200
const rounds = 2
const changes = runsOf(40, 100)

onEachDatabase('Lists that are followed', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { ...atAnyCost, ...taskApp })
  })
  after(() => service.stop())

  it('equal a fresh read, whatever changes and wherever streams are cut', async () => {
    await using model = new Model(await service.newTenant(), runSeed)
    await model.begin(service.signIn)
    for (let round = 0; round < rounds; round++) {
      await model.change(changes)
      if (round === 0) await model.changeRights(() => delay(rightsMs))
      await model.requireEqual(`round ${round}`)
    }
  })
})
