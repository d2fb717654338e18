/** Files of a tenant that is taken along, and erased. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { eraseTenant } from '../../src/operations/erase/erase.ts'
import { ArchiveScene } from '../operations/archive/installations.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { pdf } from '../support/files/contents.ts'
import { download, storedIn, upload } from './scene.ts'

onEitherDatabase('An archive', (database) => {
  it('takes the files of its tenant along, which are gone when the tenant is erased', async () => {
    await using scene = new ArchiveScene()
    const source = await scene.installation('sqlite')
    const target = await scene.installation(database, source)
    const { id, user, admin } = await source.newTenant()
    const content = Buffer.concat([pdf(), randomBytes(2_500_000)])
    const files = [(await upload(user, content)).body, (await upload(user, pdf('small'))).body]
    const archive = await scene.export(source, id)
    await scene.import(target, archive)
    const moved = (await target.signIn('worker', id)).client
    assert.ok((await download(moved, `/api/files/${files[0].id}`)).bytes.equals(content))
    assert.equal(
      (await download(moved, `/api/files/${files[1].id}`)).bytes.toString(),
      pdf('small').toString(),
    )
    assert.equal(storedIn(target).length, 2)
    assert.equal((await moved.get(`/api/files/${files[0].id}/link`)).body.size, content.length)
    assert.equal((await admin.get('/api/audit?limit=1')).status, 200)
    await target.host.delete(`/api/tenants/${id}`)
    await eraseTenant(await target.service.operator(), id)
    assert.deepEqual(storedIn(target), [])
    assert.equal(storedIn(source).length, 2)
  })
})
