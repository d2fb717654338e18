import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { AuditAction } from '../../src/core/audit/action.ts'
import { recordAudit } from '../../src/core/audit/audit.ts'
import type { Context } from '../../src/core/context.ts'
import { publish } from '../../src/core/events/publish.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import { newId } from '../../src/core/id.ts'
import { inCatalogue, inTransaction } from '../../src/core/transaction.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const names = ['outer.done', 'inner.done', 'innermost.done', 'outer.failed', 'inner.failed', 'alone.failed']
const notesFeature: Feature = {
  name: 'notes',
  audited: Object.fromEntries(names.map((name) => [name, 'A test made a note'])),
}

onEachDatabase('A transaction inside another', (database) => {
  let service: TestService
  let context: Context
  before(async () => {
    service = await startService(database, {}, { features: [notesFeature] })
    context = await service.service.operator()
  })
  after(() => service.stop())

  it('is a part of it: both are done', async () => {
    await inCatalogue(context, async (outer) => {
      await note(outer, 'outer.done')
      await inCatalogue(outer, async (inner) => {
        assert.equal(inner.transaction, outer.transaction)
        await note(inner, 'inner.done')
      })
      await inTransaction(outer, (inner) => note(inner, 'innermost.done'))
    })
    assert.deepEqual(await noted('done'), ['inner.done', 'innermost.done', 'outer.done'])
  })

  it('is undone with it', async () => {
    const work = inCatalogue(context, async (outer) => {
      await inCatalogue(outer, (inner) => note(inner, 'inner.failed'))
      throw new Error('changed my mind')
    })
    await assert.rejects(work, /changed my mind/)
    assert.deepEqual(await noted('failed'), [])
  })

  it('undoes the outer one when it fails', async () => {
    const work = inCatalogue(context, async (outer) => {
      await note(outer, 'outer.failed')
      await inCatalogue(outer, async () => {
        throw new Error('changed my mind')
      })
    })
    await assert.rejects(work, /changed my mind/)
    assert.deepEqual(await noted('failed'), [])
  })

  it('is needed for a record and for an event', async () => {
    await assert.rejects(note(context, 'alone.failed'), /outside a transaction/)
    await assert.rejects(publish(context, 'user.deleted', { userId: newId() }), /outside a transaction/)
  })

  function note(inside: Context, action: string): Promise<void> {
    const entry = { tenantId: 'default', subjectType: 'key', subjectId: null } as const
    return recordAudit(inside, { action: action as AuditAction, ...entry }) // nobody but this test records it
  }

  async function noted(ending: string): Promise<unknown[]> {
    const sql = `SELECT action FROM audit WHERE action LIKE '%.${ending}' ORDER BY action`
    return (await inspect(service.config.databaseUrl, sql)).map(({ action }) => action)
  }
})
