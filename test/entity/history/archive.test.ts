/** History and trash of a tenant that is exported and imported, and erased. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eraseTenant } from '../../../src/operations/erase/erase.ts'
import { upload } from '../../files/scene.ts'
import { ArchiveScene } from '../../operations/archive/installations.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { uniqueName } from '../../support/service.ts'
import { made, newPaper, paperFeatures, pathOfPaper } from './papers.ts'

onEachDatabase('An archive', (database) => {
  it('takes versions, deleted rows and their files along, which are gone when the tenant is erased', async () => {
    await using scene = new ArchiveScene()
    const source = await scene.installation('sqlite', null, { features: paperFeatures })
    const target = await scene.installation(database, source, { features: paperFeatures })
    const { id, user } = await source.newTenant()
    const file = (await upload(user)).body.id
    const row = await newPaper(user, { title: uniqueName('paper'), documentId: file, body: 'first' })
    await made(user.patch(pathOfPaper(row), { documentId: null, body: 'second' }))
    const deleted = await newPaper(user, { title: uniqueName('paper'), documentId: file })
    assert.equal((await user.delete(pathOfPaper(deleted))).status, 204)
    await scene.import(target, await scene.export(source, id))
    const moved = (await target.signIn('worker', id)).client
    const before = await made(user.get(`${pathOfPaper(row)}/history?fields=version,at,action,changes`))
    assert.deepEqual(
      await made(moved.get(`${pathOfPaper(row)}/history?fields=version,at,action,changes`)),
      before,
    )
    assert.equal((await made(moved.post(`${pathOfPaper(row)}/history/1/restore`))).document.id, file)
    assert.equal((await made(moved.post(`${pathOfPaper(deleted)}/restore`))).document.id, file)
    await target.host.delete(`/api/tenants/${id}`)
    await eraseTenant(await target.service.operator(), id)
    for (const table of ['paper_version', 'paper_version_file'])
      assert.deepEqual(await inspect(target.config.databaseUrl, `SELECT * FROM ${table}`), [])
  })
})
