/** Lists that are followed get the rows that return from the trash. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, text } from '../../../src/index.ts'
import { LiveReader } from '../../api/live/live-reader.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { startService, type TestService } from '../../support/service.ts'
import { migrated } from '../migrated.ts'
import { made } from './papers.ts'

const tile = entity('tile', { fields: { name: text() }, live: true, trash: { days: 1 } })

onEitherDatabase('A followed list', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { features: migrated([tile]) })
  })
  after(() => service.stop())

  it('is entered by a row that returns, and changed by a version that is restored', async () => {
    const { admin } = await service.newTenant()
    const { id } = await made(admin.post('/api/tiles', { name: 'first' }))
    await made(admin.patch(`/api/tiles/${id}`, { name: 'second' }))
    await using live = await LiveReader.open(admin, { all: { entity: 'tile' } })
    // One after the other: changes of a row that are read together are told as one.
    await made(admin.post(`/api/tiles/${id}/history/1/restore`))
    const seen = [await live.change()]
    assert.equal((await admin.delete(`/api/tiles/${id}`)).status, 204)
    seen.push(await live.change())
    await made(admin.post(`/api/tiles/${id}/restore`))
    seen.push(await live.change())
    assert.deepEqual(
      seen.map(({ kind, version, row }) => [kind, version, row?.['name']]),
      [
        ['change', 3, 'first'],
        ['delete', 3, undefined],
        ['enter', 5, 'first'],
      ],
    )
  })
})
