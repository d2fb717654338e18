/** One round of `kill.fault.test.ts`, with the commands. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { eventually, soonMs } from '../../support/eventually.ts'
import { person } from '../../support/service.ts'
import { KillScene, products, tenantId } from './kill.ts'

it('kill -9 of an export and of an import leaves nothing that looks whole, and the same again ends well', async () => {
  await using scene = await KillScene.create('sqlite')
  await scene.serve('source')
  await scene.killExport('copied')
  assert.equal(existsSync(scene.archive), false)
  assert.equal(scene.drafts.length, 1)
  await scene.export()
  assert.equal(existsSync(scene.archive), true)

  const { anonymous, host } = await scene.serve('target')
  await scene.killImport('copied')
  assert.deepEqual(await scene.stored(), { tenants: 0, products })
  const login = { userName: 'boss', password: person('boss')['password'] }
  const signIn = () => anonymous.post('/api/auth/login', login, { 'x-tenant-id': tenantId })
  assert.equal((await signIn()).status, 404)
  for (const id of [tenantId, tenantId.toLowerCase(), tenantId.toUpperCase()]) {
    const taken = await host.post('/api/tenants', { id, name: 'A' })
    assert.equal(taken.status, 409, id)
  }
  const said = await scene.import()
  assert.match(
    said,
    /^The archive is verified\.\nCopying\.\nThe copy is complete and verified\.\nTenant Acme is imported: \d+ rows of \d+ tables\.\n$/,
  )
  assert.deepEqual(await scene.stored(), { tenants: 1, products })
  assert.deepEqual(
    readdirSync(join(scene.target.folder, 'data')).filter((name) => name.startsWith('import-')),
    [],
  )
  const isServed = async () =>
    (await anonymous.get('/api/products', { 'x-tenant-id': tenantId })).status === 200
  await eventually('the service to hear of it', soonMs, isServed)
  assert.equal((await signIn()).status, 200)
})
