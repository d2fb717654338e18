/** A table of a feature without `tenant_id` is refused: moving and erasing a tenant would not include its rows. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openOperator } from '../../src/cli/with-operator.ts'
import { digestOf } from '../../src/database/migrate/digest.ts'
import type { Migration } from '../../src/database/migration.ts'
import { createService } from '../../src/service/service.ts'
import { createTenant } from '../../src/tenancy/tenant.ts'
import { type EmptyDatabase, emptyDatabase } from '../support/database/empty-database.ts'
import { inspect } from '../support/database/inspect.ts'
import { createPostgresDatabase, onEachDatabase } from '../support/databases.ts'
import { usualOptions } from '../support/service.ts'

const refusal =
  /^Error: Migration (\S+): its table (\S+) has no column tenant_id: moving or erasing a tenant would leave its rows behind\. Begin the primary key of the table with tenant_id; /

onEachDatabase('A migration of tenants', (database) => {
  let empty: EmptyDatabase
  before(async () => {
    empty = await emptyDatabase(database)
  })
  after(() => empty.drop())

  const ways: [string, (types: Parameters<Migration['statements']>[0]) => string[]][] = [
    ['in plain words', (t) => [`CREATE TABLE parcel (id ${t.id} PRIMARY KEY)`]],
    ['from a query', () => ['CREATE TABLE parcel AS SELECT id, name FROM product']],
    [
      'and renames it',
      (t) => [`CREATE TABLE draft (id ${t.id} PRIMARY KEY)`, 'ALTER TABLE draft RENAME TO parcel'],
    ],
  ]
  if (database === 'postgres')
    ways.push([
      'by a program',
      () => ["DO $$ BEGIN EXECUTE 'CREATE TABLE ' || 'par' || 'cel (id uuid)'; END $$"],
    ])
  for (const [way, statements] of ways)
    it(`that makes a table without tenant_id ${way} is refused at each start, and leaves nothing`, async () => {
      const features = [feature('parcel-0001', statements)]
      for (let start = 0; start < 2; start++)
        await assert.rejects(createService(empty.config, { ...usualOptions, features }), (error) => {
          const [, migration, table] = refusal.exec(String(error)) ?? []
          assert.deepEqual([migration, table], ['parcel-0001', 'parcel'], String(error))
          return true
        })
      const applied = await inspect(
        empty.config.databaseUrl,
        "SELECT name FROM migration WHERE name LIKE 'parcel%'",
      )
      assert.deepEqual(applied, [])
    })

  it('that was applied by an earlier version is refused as well', async () => {
    const crate = feature('crate-0001', () => ['CREATE TABLE IF NOT EXISTS "crate" (id text PRIMARY KEY)'])
    const features = [crate]
    const [digest] = crate.migrations.map(digestOf)
    await inspect(empty.config.databaseUrl, 'CREATE TABLE crate (id text PRIMARY KEY)')
    await inspect(
      empty.config.databaseUrl,
      `INSERT INTO migration (name, applied_at, digest) VALUES ('crate-0001', '2026-01-01', '${digest}')`,
    )
    await assert.rejects(createService(empty.config, { ...usualOptions, features }), refusal)
    await inspect(empty.config.databaseUrl, 'DROP TABLE crate')
  })

  it('that makes one with it is accepted, and so is a table of the catalogue without', async () => {
    const good = feature('box-0001', (t) => [
      `CREATE TABLE box (tenant_id ${t.key} NOT NULL, id ${t.id} NOT NULL, PRIMARY KEY (tenant_id, id))`,
    ])
    const ofCatalogue = {
      name: 'depot',
      migrations: [
        {
          ...migrationOf('depot-0001', (t) => [`CREATE TABLE depot (id ${t.id} PRIMARY KEY)`]),
          database: 'catalogue' as const,
        },
      ],
    }
    const features = [good, ofCatalogue]
    for (let start = 0; start < 2; start++)
      await (await createService(empty.config, { ...usualOptions, features })).stop()
  })

  it('is held to it in the database of a tenant, too', async () => {
    const own = database === 'postgres' ? await createPostgresDatabase() : null
    const connectionString = own?.url ?? 'sqlite:own.db'
    // What is made in the shared database need not be made alike everywhere.
    let isShared = true
    const statements: Migration['statements'] = (t) =>
      isShared ? [] : [`CREATE TABLE pallet (id ${t.id} PRIMARY KEY)`]
    const { context, close } = await openOperator(empty.config, {
      ...usualOptions,
      features: [feature('pallet-0001', statements)],
    })
    isShared = false
    const tenant = await createTenant(context, { id: `own-${database}`, name: 'Own', connectionString })
    await assert.rejects(Promise.resolve(context.shared.tenantDatabases.lease(tenant)), (error: Error) =>
      refusal.test(String(error.cause)),
    )
    await close()
    await own?.drop()
  })
})

function feature(name: string, statements: Migration['statements']) {
  return { name, migrations: [migrationOf(name, statements)] }
}

function migrationOf(name: string, statements: Migration['statements']): Migration {
  return { name, database: 'tenant', statements }
}
