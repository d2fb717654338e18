/** A database in which the service cannot create its tables is refused in one line, before the first statement. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { queryServer } from '../../support/database/query-server.ts'
import { roleWith } from '../../support/database/role.ts'
import { postgresServerUrl } from '../../support/databases.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { Workplace } from '../../support/process/workplace.ts'

async function refusalOf(url: string): Promise<string> {
  await using place = new Workplace()
  const { code, stderr } = await place.run(['migrate'], {
    settings: { DATABASE_URL: url, MASTER_KEY: newMasterKey() },
  })
  assert.equal(code, 1)
  const lines = stderr.trim().split('\n')
  assert.equal(lines.length, 1, stderr)
  return lines[0] ?? ''
}

describe('A start in a database', () => {
  it('whose schema the role may not create tables in, says which right is missing', async () => {
    const role = await roleWith('', 'USAGE')
    const grant = `GRANT CREATE ON SCHEMA "public" TO "${role.name}"`
    assert.match(await refusalOf(role.url), new RegExp(grant))
    const tables = "SELECT 1 FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
    assert.deepEqual(await queryServer(role.ownerUrl, tables), [])
    await queryServer(role.ownerUrl, grant)
    await using place = new Workplace()
    const settings = { DATABASE_URL: role.url, MASTER_KEY: newMasterKey() }
    const { code, stderr } = await place.run(['migrate'], { settings })
    assert.deepEqual([code, stderr], [0, ''])
    await role.drop()
  })

  it('without a schema of the search path, says how to make one', async () => {
    const role = await roleWith('', 'USAGE')
    await queryServer(role.ownerUrl, `ALTER ROLE ${role.name} SET search_path = nowhere`)
    assert.match(await refusalOf(role.url), /has no schema to create tables in: run CREATE SCHEMA/)
    await role.drop()
  })

  it('in another encoding than UTF-8, says how to create one', async () => {
    const server = await postgresServerUrl()
    const url = new URL(server)
    url.pathname = '/in_latin1'
    await queryServer(
      server,
      "CREATE DATABASE in_latin1 ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C' LOCALE_PROVIDER libc",
    )
    assert.match(await refusalOf(url.href), /encoding LATIN1.*ENCODING 'UTF8'/)
    await queryServer(server, 'DROP DATABASE in_latin1 WITH (FORCE)')
  })
})
