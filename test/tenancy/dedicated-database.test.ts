/** A database that is opened for one task is closed, and its lock released, when the opening fails at its end. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { SecretBox } from '../../src/core/encryption/secret-box.ts'
import { InstallationData } from '../../src/database/data.ts'
import { identityMigration } from '../../src/database/database-identity.ts'
import { openSqlite } from '../../src/database/sqlite/sqlite-database.ts'
import { openDedicated } from '../../src/tenancy/dedicated-database.ts'

describe('A database that is opened for one task', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-dedicated-'))
  const shared = openSqlite(join(folder, 'shared.db'))
  after(async () => {
    await shared.close()
    rmSync(folder, { recursive: true })
  })

  it('is not left open when the catalogue cannot be asked for its id any more', async () => {
    let asked = 0
    let isLocked = false
    const opening = openDedicated(
      {
        catalogue: new InstallationData(shared.executor),
        secretBox: new SecretBox(Buffer.alloc(32)),
        dataDir: folder,
        sharedTarget: { kind: 'sqlite', path: join(folder, 'shared.db') },
        migrations: [identityMigration],
        postgres: { maxConnections: 1, connectTimeoutMs: 1000, statementTimeoutMs: 1000 },
        lock: async () => {
          isLocked = true
          return () => {
            isLocked = false
          }
        },
        installation: async () => {
          if (++asked > 1) throw new Error('gone')
          return '0198c6f0-3d5a-7c31-9a57-000000000001'
        },
      },
      { kind: 'sqlite', path: join(folder, 'tenant.db') },
      {},
    )
    await assert.rejects(opening, /gone/)
    assert.equal(asked, 2)
    assert.equal(isLocked, false)
  })
})
