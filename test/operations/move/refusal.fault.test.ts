import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, it } from 'node:test'
import { abandonMove, moveTenant } from '../../../src/operations/move/move.ts'
import type { MovePhase } from '../../../src/operations/move/plan.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { type MovingScene, setMovingScene, tenantId } from './moving.ts'

onEachDatabase('A move that is not to be, the catalogue', (database) => {
  let scene: MovingScene
  before(async () => {
    scene = await setMovingScene(database)
    for (const name of ['Desk', 'Lamp']) await newProduct(name)
  })
  after(() => scene[Symbol.asyncDispose]())

  it('is refused for what cannot be moved, and where to', async () => {
    const refused: [id: string, to: string | null, complaint: RegExp][] = [
      ['default', 'sqlite:own.db', /The host tenant stays in the database of the service/],
      ['nobody', 'sqlite:own.db', /There is no such tenant/],
      [tenantId, null, /The tenant is already in /],
      [tenantId, 'mysql://db', /must be postgres:/],
    ]
    await scene.asOperator(async (context) => {
      for (const [id, to, complaint] of refused) await assert.rejects(moveTenant(context, id, to), complaint)
      await assert.rejects(abandonMove(context, tenantId), /The tenant is not being moved/)
    })
  })

  it('notices a copy that is not what it was made from, and leaves the tenant where it is', async () => {
    await scene.asOperator(async (context) => {
      const { tenantDatabases } = context.shared
      const { database: own } = await tenantDatabases.openDedicated(
        tenantDatabases.check('sqlite:corrupt.db'),
      )
      await own.close()
    })
    const trigger = `CREATE TRIGGER bent AFTER INSERT ON product WHEN new.name = 'Lamp' BEGIN
        UPDATE product SET price = price + 1 WHERE id = new.id; END`
    await inspect(scene.fileUrl('corrupt.db'), trigger)
    await assert.rejects(
      scene.move('sqlite:corrupt.db'),
      /The copy differs from the source: product in [0-9a-f-]{36}\.$/,
    )
    await isServedHere()
    await inspect(scene.fileUrl('corrupt.db'), 'DROP TRIGGER bent')
    await scene.asOperator((context) => abandonMove(context, tenantId))
  })

  it('can be given up before the switch, and then leaves nothing behind', async () => {
    await endBefore('verified')
    assert.equal(await scene.count(scene.fileUrl('given-up.db'), 'product'), 2)
    const { code, stdout, stderr } = await scene.run(['tenant', 'move', tenantId, '--abandon'])
    assert.equal(code, 0, stderr)
    assert.equal(stdout, `The move of ${tenantId} is abandoned.\n`)
    assert.equal(await scene.count(scene.fileUrl('given-up.db'), 'product'), 0)
    await newProduct('After')
    assert.deepEqual(await inspect(scene.sharedUrl, 'SELECT seq FROM move_log'), [])
    assert.deepEqual(await inspect(scene.sharedUrl, 'SELECT tenant_key FROM tenant_move'), [])
    const triggers =
      database === 'sqlite'
        ? "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'move_%'"
        : "SELECT tgname FROM pg_trigger WHERE tgname LIKE 'move_%'"
    assert.deepEqual(await inspect(scene.sharedUrl, triggers), [])
  })

  it('leads to one place at a time, and keeps everybody from giving the tenant another', async () => {
    await endBefore('verified')
    await assert.rejects(scene.move('sqlite:elsewhere.db'), /is under way\. Finish it first, or abandon it/)
    assert.equal(existsSync(scene.fileUrl('elsewhere.db').slice('sqlite:'.length)), false)
    const given = await scene.host.put(`/api/tenants/${tenantId}`, { connectionString: 'sqlite:other.db' })
    assertError(given, 409, 'The tenant is being moved to another database.')
    await scene.asOperator((context) => abandonMove(context, tenantId))
  })

  it('is done by one process alone', async () => {
    const reached = async (phase: MovePhase): Promise<void> => {
      if (phase === 'verified')
        await assert.rejects(scene.move('sqlite:twice.db'), /Another process is moving/)
      if (phase === 'switching') throw new Error('enough')
    }
    await assert.rejects(scene.move('sqlite:twice.db', { reached }), /enough/)
    await scene.asOperator((context) => abandonMove(context, tenantId))
  })

  it('overwrites no rows of the tenant unless it is told to', async () => {
    const products = await inspect(scene.sharedUrl, 'SELECT count(*) AS n FROM product')
    await scene.host.put(`/api/tenants/${tenantId}`, { connectionString: 'sqlite:before.db' })
    await newProduct('Only there')
    await scene.host.put(`/api/tenants/${tenantId}`, { connectionString: null })
    await assert.rejects(
      scene.move('sqlite:before.db'),
      /before\.db already has rows of the tenant \(.*product.*\)\. --replace replaces them\./,
    )
    assert.equal(await scene.count(scene.fileUrl('before.db'), 'product'), 1)
    await scene.move('sqlite:before.db', { replace: true })
    assert.equal(await scene.count(scene.fileUrl('before.db'), 'product'), Number(products[0]?.['n']))
  })

  async function endBefore(end: MovePhase): Promise<void> {
    const reached = (phase: MovePhase): void => {
      if (phase === end) throw new Error('ended')
    }
    await assert.rejects(scene.move('sqlite:given-up.db', { reached }), /ended/)
    await isServedHere()
  }

  async function isServedHere(): Promise<void> {
    assert.equal((await scene.host.get(`/api/tenants/${tenantId}/database`)).body.kind, 'shared')
  }

  async function newProduct(name: string): Promise<void> {
    const made = await scene.admin.post('/api/products', { name, price: 1 })
    assert.equal(made.status, 201, made.text)
  }
})
