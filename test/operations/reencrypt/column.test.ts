/** A change of the master key includes every column with secrets. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { inspect } from '../../support/database/inspect.ts'
import { type DatabaseName, onEachDatabase } from '../../support/databases.ts'
import { sharedService, type TestService } from '../../support/service.ts'

/** Bytes that are nothing secret. */
const plain = ['tenant_logo.content (tenant_id, theme)', 'webhook_receipt.body (tenant_id, id)']

const bytesColumns: Record<DatabaseName, string> = {
  sqlite: `
    SELECT made.name || '.' || bytes.name || ' (' || (
      SELECT group_concat(name, ', ' ORDER BY pk) FROM pragma_table_info(made.name) WHERE pk > 0
    ) || ')' AS place
    FROM sqlite_master AS made JOIN pragma_table_info(made.name) AS bytes
    WHERE made.type = 'table' AND bytes.type = 'BLOB'`,
  postgres: `
    SELECT bytes.attrelid::regclass || '.' || bytes.attname || ' (' || (
      SELECT string_agg(part.attname, ', ' ORDER BY array_position(made.indkey::int2[], part.attnum))
      FROM pg_index AS made JOIN pg_attribute AS part ON part.attrelid = made.indrelid
      WHERE made.indrelid = bytes.attrelid AND made.indisprimary AND part.attnum = ANY (made.indkey::int2[])
    ) || ')' AS place
    FROM pg_attribute AS bytes JOIN pg_class AS held ON held.oid = bytes.attrelid AND held.relkind = 'r'
    WHERE bytes.atttypid = 'bytea'::regtype AND held.relnamespace = 'public'::regnamespace`,
}

onEachDatabase('The columns with something sealed', (database) => {
  let service: TestService
  before(async () => {
    service = await sharedService(database)
  })
  after(() => service.stop())

  it('are those with bytes, each told of by its feature with its primary key', async () => {
    const told = service.service.features.flatMap(({ encrypted }) => encrypted ?? [])
    const places = told.map(({ table, column, key }) => `${table}.${column} (${key.join(', ')})`)
    const rows = await inspect(service.config.databaseUrl, bytesColumns[database])
    assert.deepEqual(rows.map(({ place }) => place).toSorted(), [...places, ...plain].toSorted())
  })

  it('are known to the command line when the feature is not', async () => {
    const told = service.service.features.flatMap(({ encrypted }) => encrypted ?? [])
    const rows = await inspect(service.config.databaseUrl, 'SELECT location FROM encrypted_column')
    assert.deepEqual(
      rows.map(({ location }) => String(location)).toSorted(),
      told.map((column) => JSON.stringify(column)).toSorted(),
    )
  })
})
