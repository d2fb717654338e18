/** `kill -9` at each phase of an export and an import, and while rows are copied; then the same again. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { createAdmin } from '../../support/process/administrator.ts'
import { person } from '../../support/service.ts'
import { exportPhases, importPhases, KillScene, products, tenantId } from './kill.ts'

onEachDatabase('kill -9, the target', (database) => {
  it('at each phase of an export leaves a draft alone, which is no archive before it is whole', async () => {
    await using scene = await KillScene.create(database)
    for (const [index, phase] of exportPhases.entries()) {
      const others = new Set(scene.drafts)
      await scene.killExport(phase)
      assert.equal(existsSync(scene.archive), false, phase)
      assert.equal(scene.drafts.length, index + 1)
      const draft = scene.drafts.find((name) => !others.has(name)) ?? ''
      if (phase === 'written') continue // it is whole, and has only not got its name
      const refused = await scene.target.run(['tenant', 'import', join(scene.source.folder, draft)])
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /is not an archive of a tenant, or is damaged/)
    }
    await scene.export()
    await scene.import()
    assert.deepEqual(await scene.stored(), { tenants: 1, products })
  })

  it('at each phase of an import leaves nothing that is served, and the next one ends it', async () => {
    await using scene = await KillScene.create(database)
    await scene.export()
    for (const phase of importPhases) {
      await scene.killImport(phase)
      const { tenants } = await scene.stored()
      assert.equal(tenants, phase === 'registered' ? 1 : 0, phase)
    }
    await assertImported(scene)
    const again = await scene.target.run(['tenant', 'import', scene.archive])
    assert.match(again.stderr, /The tenant Acme already exists/)
  })

  it('of an import into a database of the tenant’s own likewise', async () => {
    await using scene = await KillScene.create(database)
    await scene.export()
    for (const phase of importPhases) await scene.killImport(phase, 'sqlite:acme.db')
    await assertImported(scene, 'sqlite:acme.db')
    const own = `sqlite:${join(scene.target.folder, 'data/tenants/acme.db')}`
    const [row] = await inspect(own, 'SELECT count(*) AS n FROM product')
    assert.equal(row?.['n'], products)
  })

  it('in the middle of the copying keeps the id from being given to another, until it is ended or given up', async () => {
    await using scene = await KillScene.create(database)
    await scene.export()
    const service = await scene.target.serve()
    const { authorization } = await createAdmin(service)
    const running = scene.target.start(['tenant', 'import', scene.archive])
    const isCopying = async () => {
      const { products: there } = await scene.stored()
      return there > 0 && there < products
    }
    while (!(await isCopying()) && running.process.exitCode === null) await delay(1)
    assert.equal((await running.kill()).signal, 'SIGKILL', 'it ended before it could be killed')
    assert.equal((await scene.stored()).tenants, 0)

    const create = () =>
      service.anonymous.post('/api/tenants', { id: tenantId, name: 'A' }, { authorization })
    assertError(await create(), 409, 'An import of this tenant is not finished.')
    assert.equal(await scene.import('shared', '--abandon'), 'The import of Acme is abandoned.\n')
    assert.deepEqual(await scene.stored(), { tenants: 0, products: 0 })
    assert.deepEqual(leftCopies(scene), [])
    assert.equal((await create()).status, 201)
  })
})

async function assertImported(scene: KillScene, to = 'shared'): Promise<void> {
  const service = await scene.target.serve()
  await scene.import(to)
  const login = { userName: 'boss', password: person('boss')['password'] }
  const signedIn = await service.anonymous.post('/api/auth/login', login, { 'x-tenant-id': tenantId })
  assert.equal(signedIn.status, 200, signedIn.text)
  const admin = service.anonymous.withToken(signedIn.body.accessToken)
  assert.equal((await admin.get('/api/products')).body.length, products)
  assert.deepEqual(await inspect(scene.targetUrl, 'SELECT tenant FROM move_arrival'), [])
  assert.deepEqual(leftCopies(scene), [])
}

function leftCopies({ target }: KillScene): string[] {
  return readdirSync(join(target.folder, 'data')).filter((name) => name.startsWith('import-'))
}
