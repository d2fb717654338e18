/** How long versions and deleted rows are kept, and what is kept with them. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { download, sweep, upload } from '../../files/scene.ts'
import type { Client } from '../../support/client.ts'
import { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { startService, type TestService, type TestTenant, uniqueName } from '../../support/service.ts'
import { made, newPaper, paperFeatures, pathOfPaper, trim } from './papers.ts'

onEachDatabase('What history keeps', (database) => {
  let service: TestService
  let tenant: TestTenant
  let clock: TestClock
  let user: Client
  before(async () => {
    clock = new TestClock()
    service = await startService(database, {}, { features: paperFeatures, clock: clock.now })
    tenant = await service.newTenant()
    ;({ user } = tenant)
  })
  after(() => service.stop())

  const title = () => uniqueName('paper')
  const statements = (text: string) => inspect(service.config.databaseUrl, text)
  const storedOf = async ({ id }: { id: string }): Promise<number[]> => {
    const rows = await statements(`SELECT version FROM paper_version WHERE row_id = '${id}' ORDER BY version`)
    return rows.map(({ version }) => Number(version))
  }
  /** Sessions end meanwhile. */
  const later = async (days: number) => {
    clock.advance({ days })
    user = (await service.signIn('worker', tenant.id)).client
    tenant.admin = (await service.signIn('boss', tenant.id)).client
    await trim(service)
  }

  it('is nothing of a new row and of one that is read, and one row of a change', async () => {
    const row = await newPaper(user, { title: title() })
    await made(user.get(pathOfPaper(row)))
    await made(user.get(`${pathOfPaper(row)}/history`))
    assert.deepEqual(await storedOf(row), [])
    await made(user.patch(pathOfPaper(row), { body: 'changed' }))
    assert.deepEqual(await storedOf(row), [1])
    assert.equal((await user.patch(pathOfPaper(row), { shelfId: row.id })).status, 400)
    assert.equal((await user.patch(pathOfPaper(row), { title: 'refused' })).status, 500)
    assert.deepEqual(await storedOf(row), [1])
  })

  it('is at most 200 versions of a row', async () => {
    const row = await newPaper(user, { title: title() })
    for (const body of ['one', 'two', 'three']) await made(user.patch(pathOfPaper(row), { body }))
    await statements(`UPDATE paper SET version = 202 WHERE id = '${row.id}'`)
    await made(user.patch(pathOfPaper(row), { body: 'four' }))
    assert.deepEqual(await storedOf(row), [3, 202])
  })

  it('ends with the days of the setting for versions, and with those of the trash for deleted rows', async () => {
    const [row, deleted] = [
      await newPaper(user, { title: title() }),
      await newPaper(user, { title: title() }),
    ]
    await made(user.patch(pathOfPaper(row), { body: 'second' }))
    await made(user.patch(pathOfPaper(deleted), { body: 'second' }))
    assert.equal((await user.delete(pathOfPaper(deleted))).status, 204)
    await later(29)
    assert.deepEqual([await storedOf(row), await storedOf(deleted)], [[1], [1, 2]])
    assert.equal((await user.get('/api/papers/trash?count=true')).headers.get('x-total-count'), '1')
    await later(2)
    assert.deepEqual([await storedOf(row), await storedOf(deleted)], [[1], []])
    assert.deepEqual(await made(user.get('/api/papers/trash')), [])
    assertError(await user.post(`${pathOfPaper(deleted)}/restore`), 404, 'There is no such paper.')
    assertError(await user.get(`${pathOfPaper(deleted)}/history`), 404, 'There is no such paper.')
    await later(60)
    assert.deepEqual(await storedOf(row), [])
    const [entry, ...more] = await made(user.get(`${pathOfPaper(row)}/history`))
    assert.deepEqual([entry.version, entry.action, entry.changes, more], [2, null, {}, []])
  })

  it('ends earlier where the tenant says so, but for what is in the trash', async () => {
    await made(tenant.admin.put('/api/tenant/settings', { historyDays: 1 }))
    const [row, deleted] = [
      await newPaper(user, { title: title() }),
      await newPaper(user, { title: title() }),
    ]
    await made(user.patch(pathOfPaper(row), { body: 'second' }))
    await made(user.patch(pathOfPaper(deleted), { body: 'second' }))
    assert.equal((await user.delete(pathOfPaper(deleted))).status, 204)
    await later(2)
    assert.deepEqual([await storedOf(row), await storedOf(deleted)], [[], [2]])
    assert.equal((await made(user.post(`${pathOfPaper(deleted)}/restore`))).body, 'second')
    const wrong = await tenant.admin.put('/api/tenant/settings', { historyDays: 0 })
    assert.equal(wrong.status, 400)
    await made(tenant.admin.put('/api/tenant/settings', { historyDays: null }))
  })

  it('has the files of versions and of deleted rows, until these are gone', async () => {
    const [first, second] = [(await upload(user)).body.id, (await upload(user)).body.id]
    const row = await newPaper(user, { title: title(), documentId: first })
    await made(user.patch(pathOfPaper(row), { documentId: second }))
    await later(2)
    await sweep(service)
    assert.equal((await user.delete(`/api/files/${first}`)).status, 400)
    const version = await made(user.get(`${pathOfPaper(row)}/history/1`))
    assert.deepEqual([version.documentId, version.document.id], [first, first])
    assert.equal((await download(user, `/api/files/${first}`)).status, 200)
    assert.equal((await made(user.post(`${pathOfPaper(row)}/history/1/restore`))).documentId, first)
    assert.equal((await user.delete(pathOfPaper(row))).status, 204)
    await later(2)
    await sweep(service)
    const restored = await made(user.post(`${pathOfPaper(row)}/restore`))
    assert.equal(restored.document.id, first)
    assert.equal((await user.delete(pathOfPaper(row))).status, 204)
    await later(31)
    await later(2)
    await sweep(service)
    for (const id of [first, second]) assert.equal((await user.get(`/api/files/${id}`)).status, 404)
  })
})
