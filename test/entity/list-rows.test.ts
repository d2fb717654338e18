/** The values of the rows of a list: what callers give, leave out, or give as null. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, integer, many, text } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { migrated } from './migrated.ts'

const menu = entity('menu', {
  fields: {
    name: text(),
    note: text().optional().default('none'),
    dishes: many({ title: text(), note: text().optional().default('none'), portions: integer().default(2) }),
  },
})

onEitherDatabase('A row of a list', (database) => {
  let service: TestService
  let user: Client
  before(async () => {
    service = await startService(database, {}, { features: migrated([menu]) })
    user = (await service.newTenant()).user
  })
  after(() => service.stop())

  it('keeps a null that the caller gives, like any other row, and has the default of what is left out', async () => {
    const dishes = [
      { title: 'Soup', note: null },
      { title: 'Bread', portions: 4 },
    ]
    const stored = [
      { title: 'Soup', note: null, portions: 2 },
      { title: 'Bread', note: 'none', portions: 4 },
    ]
    const { status, body, text: told } = await user.post('/api/menus', { name: 'Noon', note: null, dishes })
    assert.equal(status, 201, told)
    assert.deepEqual([body.note, body.dishes], [null, stored])
    assert.deepEqual((await user.get(`/api/menus/${body.id}`)).body.dishes, stored)
    const changed = await user.patch(`/api/menus/${body.id}`, { dishes: [{ title: 'Soup', note: null }] })
    assert.deepEqual(changed.body.dishes, stored.slice(0, 1))
  })
})
