/** When an erasure is refused; and an interrupted one is completed. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { DatabaseUnavailable } from '../../../src/database/executor.ts'
import type { ErasePhase } from '../../../src/operations/erase/erase.ts'
import { moveTenant } from '../../../src/operations/move/move.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase, onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { tenantry } from '../../support/process/command-line.ts'
import { person } from '../../support/service.ts'
import { digestOf } from '../../support/victim.ts'
import { countsOf, type ErasingScene, isErased, setErasingScene } from './erasing.ts'

const phases: readonly ErasePhase[] = ['recorded', 'fenced', 'counted', 'removed', 'rewritten', 'unfenced']

describe('An erasure', { concurrency: 3 }, () => {
  describe('one after the other', { concurrency: 1 }, () => {
    onEitherDatabase('that is not to be, the catalogue', (database) => {
      let scene: ErasingScene
      before(async () => {
        scene = await setErasingScene(database)
      })
      after(() => scene[Symbol.asyncDispose]())

      it('is refused for whoever is active, the host, nobody, and without a word that it is meant', async () => {
        const { id } = await scene.newTenant()
        const refused: [id: string, complaint: RegExp][] = [
          [id, /^The tenant is active\. Deactivate it first\.$/],
          ['default', /^The host tenant cannot be erased\.$/],
          ['nobody', /^There is no such tenant\.$/],
        ]
        for (const [each, message] of refused) await assert.rejects(scene.erase({ id: each }), { message })
        const { code, stderr } = await tenantry(['tenant', 'delete', id], scene)
        assert.equal(code, 2)
        assert.match(
          stderr,
          /^tenantry: --erase is required, because the erasure is irreversible; tenant deactivate keeps all data\. See/,
        )
      })

      it('is refused while the tenant is moved, and leaves it alone', async () => {
        const tenant = await scene.newTenant()
        const reached = () => {
          throw new Ended()
        }
        const move = moveTenant(await scene.service.operator(), tenant.id, 'sqlite:to.db', { reached })
        await assert.rejects(move, Ended)
        await scene.deactivate(tenant)
        await assert.rejects(scene.erase(tenant), /The tenant is being moved to another database/)
        const path = `/api/tenants/${tenant.id}`
        assert.equal((await scene.host.put(path, { isActive: true })).status, 200)
        const headers = { 'x-tenant-id': tenant.id }
        assert.equal((await scene.anonymous.get('/api/products', headers)).status, 200)
      })

      it('stops before it begins while the database of the tenant cannot be reached', async () => {
        const tenant = await scene.newTenant()
        const path = `/api/tenants/${tenant.id}`
        const nowhere = { connectionString: 'postgres://a:b@127.0.0.1:9/gone' }
        assert.equal((await scene.host.put(path, nowhere)).status, 200)
        await scene.deactivate(tenant)
        await assert.rejects(scene.erase(tenant), DatabaseUnavailable)
        assert.equal((await scene.host.put(path, { connectionString: null })).status, 200)
        await scene.erase(tenant)
        assert.equal((await scene.host.get(path)).status, 404)
      })
    })
  })

  onEachDatabase('that is interrupted, the catalogue', (database) => {
    it('goes on where it was interrupted, and until then nothing brings the tenant back', async () => {
      await using scene = await setErasingScene(database)
      const other = await scene.fill()
      const gone = await scene.fill({ connectionString: 'sqlite:gone.db' })
      const unharmed = await digestOf(other)
      const counted = await countsOf(scene.fileUrl('gone.db'), gone.id)
      await scene.deactivate(gone)
      for (const phase of phases) {
        const reached = async (here: ErasePhase): Promise<void> => {
          if (here === 'fenced' && phase === 'fenced') await isClosed(scene, gone.id)
          if (here === phase) throw new Ended()
        }
        await assert.rejects(scene.erase(gone, { reached }), Ended, phase)
        await staysAway(scene, gone.id)
      }
      const { rows } = await scene.erase(gone)
      assert.equal(rows['product'], counted['product'])
      await isErased(scene, gone, [scene.sharedUrl])
      assert.equal(await digestOf(other), unharmed)
      const left = await inspect(scene.sharedUrl, 'SELECT tenant FROM move_fence')
      assert.deepEqual(left, [])
    })
  })
})

class Ended extends Error {}

/** Whatever has heard of nothing can still add nothing. */
async function isClosed({ sharedUrl, fileUrl, erase }: ErasingScene, id: string): Promise<void> {
  const event = `INSERT INTO event (tenant_id, id, type, data, created_at)
    VALUES ('${id}', 'evt_late', 'late', '{}', '2026-01-01T00:00:00.000Z')`
  for (const url of [sharedUrl, fileUrl('gone.db')])
    await assert.rejects(inspect(url, event), /The rows of this tenant are in another database/)
  await assert.rejects(erase({ id }), /Another process is moving or erasing a tenant/)
}

async function staysAway(scene: ErasingScene, id: string): Promise<void> {
  const { host, anonymous, service } = scene
  const path = `/api/tenants/${id}`
  for (const change of [{ isActive: true }, { connectionString: null }, { name: 'Other' }])
    assertError(await host.put(path, change), 409, 'The tenant is being erased.')
  const move = moveTenant(await service.operator(), id, 'sqlite:other.db')
  await assert.rejects(move, /The tenant is being erased/)
  assert.equal((await host.post('/api/tenants', { id, name: 'Anew' })).status, 400)
  assert.equal((await host.post('/api/users', { ...person('late'), tenantId: id })).status, 400)
  const credentials = { userName: 'boss', password: person('boss')['password'] }
  await eventually('every instance to have heard', soonMs, async () => {
    const { status } = await anonymous.post('/api/auth/login', credentials, {
      'x-tenant-id': id,
      'x-forwarded-for': `10.9.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
    })
    return status === 404
  })
}
