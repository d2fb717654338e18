/** An error of a constraint names its member, also where the names of others are a part of that name. */
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { entity, reference, text } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { startService, type TestService } from '../support/service.ts'
import { migrated } from './migrated.ts'

const owner = entity('owner', { fields: { name: text() } })
const contact = entity('contact', {
  fields: {
    name: text(),
    nickname: text(),
    owner: reference(owner),
    formerOwner: reference(owner),
  },
  unique: [['name'], ['nickname']],
})

onEachDatabase('The error of a constraint', (database) => {
  let service: TestService
  let user: Client
  let ownerId: string
  before(async () => {
    service = await startService(database, {}, { features: migrated([owner, contact]) })
    user = (await service.newTenant()).user
    ownerId = (await user.post('/api/owners', { name: 'Ada' })).body.id
  })
  after(() => service.stop())

  const make = (members: object) =>
    user.post('/api/contacts', { name: 'Bo', nickname: 'B', ownerId, formerOwnerId: ownerId, ...members })

  it('names the member whose value is taken', async () => {
    await make({})
    assertError(await make({ nickname: 'C' }), 400, 'name: is taken by another contact')
    assertError(await make({ name: 'Cy' }), 400, 'nickname: is taken by another contact')
  })

  it('names the member that refers to no row', async () => {
    const others = { name: 'Di', nickname: 'D' }
    assertError(await make({ ...others, ownerId: randomUUID() }), 400, 'ownerId: names no owner')
    assertError(await make({ ...others, formerOwnerId: randomUUID() }), 400, 'formerOwnerId: names no owner')
  })
})
