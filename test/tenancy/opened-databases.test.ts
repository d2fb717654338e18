/** The open databases of tenants: a close in progress is waited for, by a stop and by the next opening. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../src/database/executor.ts'
import { openSqlite } from '../../src/database/sqlite/sqlite-database.ts'
import { OpenedDatabases } from '../../src/tenancy/opened-databases.ts'
import type { OwnDatabase } from '../../src/tenancy/own-database.ts'

describe('A database of a tenant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-opened-'))
  const shared = openSqlite(join(folder, 'shared.db'))
  after(async () => {
    await shared.close()
    rmSync(folder, { recursive: true })
  })
  const identity = { id: '', installation: '', generation: 1 }
  const closes: string[] = []
  const ignore = () => undefined
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
  const opened = () => new OpenedDatabases({ shared, capacity: 0, maxOpenFiles: 10, log })
  const ownOf = (name: string): OwnDatabase => ({
    id: name,
    key: name,
    connection: new Uint8Array(),
    known: null,
    target: { kind: 'sqlite', path: join(folder, `${name}.db`) },
  })

  /** Opens the file, and notes when it is closed. @param failure fails the close at its end */
  const prepared = (own: OwnDatabase, failure?: Error) => async () => {
    if (own.target.kind !== 'sqlite') throw new Error('not a file')
    const database: Database = openSqlite(own.target.path)
    const close = database.close.bind(database)
    database.close = async () => {
      await close()
      if (failure !== undefined) throw failure
      await nextTurn() // later than a close that fails
      closes.push(own.key)
    }
    return { database, identity, applied: [] }
  }

  it('that is being closed because it is idle is closed before a stop ends', async () => {
    const databases = opened()
    const own = ownOf('idle')
    const lease = await databases.leaseWhenReady(databases.open(own, prepared(own)))
    lease.release()
    await databases.close()
    assert.ok(closes.includes('idle'))
  })

  it('that is being closed is opened again only after that', async () => {
    const databases = opened()
    const own = ownOf('again')
    const lease = await databases.leaseWhenReady(databases.open(own, prepared(own)))
    lease.release()
    const wasClosed = Promise.withResolvers<boolean>()
    const second = databases.open(own, () => {
      wasClosed.resolve(closes.includes('again'))
      return prepared(own)()
    })
    assert.equal(await wasClosed.promise, true)
    await second.ready
    await databases.close()
  })

  it('is closed at a stop although the close of another one fails', async () => {
    const databases = opened()
    const failure = new Error('cannot be closed')
    for (const [name, error] of [
      ['first', failure],
      ['second', undefined],
    ] as const) {
      const own = ownOf(name)
      await databases.open(own, prepared(own, error)).ready
    }
    await assert.rejects(databases.close(), failure)
    assert.ok(closes.includes('second'))
  })
})
