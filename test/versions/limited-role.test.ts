/** The takeover of a former database by a role that may create tables in one schema, and nothing else. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { queryServer } from '../support/database/query-server.ts'
import { roleWith } from '../support/database/role.ts'
import { versionNames } from './fixture.ts'
import { schemaStatements } from './postgres-text.ts'
import { serve, unpack } from './upgraded.ts'

const [version = ''] = versionNames()

/** @param isOwner whether the role has made the tables, and not the superuser */
function restoredFor(isOwner: boolean) {
  return async (statements = '') => {
    const { name, url, ownerUrl, drop } = await roleWith('', 'ALL')
    // Extensions are those of an administrator.
    await queryServer(ownerUrl, 'CREATE EXTENSION IF NOT EXISTS pg_trgm')
    await queryServer(isOwner ? url : ownerUrl, statements)
    if (!isOwner) await queryServer(ownerUrl, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${name}`)
    return { url, drop }
  }
}

describe('A former database on PostgreSQL', () => {
  it('is taken over by a role that may create no schema', async () => {
    const unpacked = await unpack(version, 'postgres', restoredFor(true))
    const { service } = await serve(unpacked)
    await service.stop()
    const former = "SELECT relname FROM pg_class WHERE relname ~ '^former_'"
    assert.deepEqual(await queryServer(unpacked.shared, former), [])
    await unpacked.drop()
  })

  it('is refused, unchanged, to a role that does not own its tables', async () => {
    const unpacked = await unpack(version, 'postgres', restoredFor(false))
    const before = await schemaStatements(unpacked.shared)
    await assert.rejects(
      serve(unpacked),
      /nothing was changed\. The role \w+ does not own the tables .*: run GRANT postgres TO/,
    )
    assert.deepEqual(await schemaStatements(unpacked.shared), before)
    await unpacked.drop()
  })
})
