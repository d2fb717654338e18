/** The pages that the removal of old events touches, whatever the statistics of the tables say. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openPostgres } from '../../../../src/database/postgres/postgres-database.ts'
import { removeFinished } from '../../../../src/webhooks/outgoing/retention/retention.ts'
import { queryServer } from '../../../support/database/query-server.ts'
import { createPostgresDatabase, migratedTemplate } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { countEvents, insertOldEvents } from './old-events.ts'

const count = 10_000
const tenantId = 'acme'
const old = new Date('2020-01-01T00:00:00Z')
const later = new Date('2020-01-02T00:00:00Z')
/** The row and its entries in the indexes are found, checked and removed; a page of the tenant's others is not. */
const maxPagesPerRow = 60

const pages = `SELECT
  (SELECT sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)
    FROM pg_statio_user_tables WHERE relname IN ('event', 'delivery')) AS pages,
  (SELECT sum(n_tup_del) FROM pg_stat_user_tables WHERE relname = 'event') AS removed`

const deliveries = `INSERT INTO delivery (tenant_id, id, subscription_id, event_id, event_type, kind, copy, status,
    attempts, attempts_before, created_at, finished_at)
  SELECT tenant_id, ('016f5e66-00e0-7000-8000-' || lpad(to_hex(row_number() OVER ()), 12, '0'))::uuid,
    '016f5e66-00e0-7000-8000-000000000000', id, type, 'EVENT', '', 'SUCCEEDED', 1, 0, created_at, created_at
  FROM event WHERE type = 'old.thing'`

describe('The removal of old events on PostgreSQL', () => {
  const statistics: [title: string, before: string[], after: string[]][] = [
    ['without statistics', [], []],
    ['with statistics of empty tables', ['ANALYZE'], []],
    ['with those of full ones', [], ['ANALYZE']],
    ['where deliveries were removed before', [], [deliveries, 'ANALYZE', 'DELETE FROM delivery']],
    ['with deliveries', ['ANALYZE'], [deliveries]],
  ]
  for (const [title, before, after] of statistics)
    it(`touches few pages for a row, ${title}`, async () => {
      const postgres = await createPostgresDatabase(migratedTemplate)
      const run = async (statements: readonly string[]) => {
        for (const statement of statements) await queryServer(postgres.url, statement)
      }
      const options = { maxConnections: 2, connectTimeoutMs: 5000, statementTimeoutMs: 30_000 }
      await run(['ALTER TABLE event SET (autovacuum_enabled = off)', ...before])
      const filling = openPostgres(postgres.url, options)
      await insertOldEvents(filling, tenantId, count, old)
      await filling.close()
      await run([...after, 'SELECT pg_stat_reset()'])
      const database = openPostgres(postgres.url, options)
      await removeFinished(database, later)
      assert.equal(await countEvents(database, tenantId), 0)
      await database.close()
      // A session reports what it has done when it ends.
      let row: Record<string, unknown> | undefined
      await eventually('its report', soonMs, async () => {
        ;[row] = await queryServer(postgres.url, pages)
        return Number(row?.['removed']) === count
      })
      const perRow = Number(row?.['pages']) / count
      assert.ok(perRow > 1 && perRow < maxPagesPerRow, `${perRow} pages for each row`)
      await postgres.drop()
    })
})
