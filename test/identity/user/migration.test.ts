import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { CatalogueData } from '../../../src/database/data.ts'
import { migrate } from '../../../src/database/migrate/apply.ts'
import { userMigrations } from '../../../src/identity/user/migration.ts'
import { findBySignInName } from '../../../src/identity/user/sql.ts'
import { tenantMigrations } from '../../../src/tenancy/migration.ts'
import { inspect } from '../../support/database/inspect.ts'
import { newDatabase, type OpenedDatabase } from '../../support/database/opened.ts'
import { onEachDatabase } from '../../support/databases.ts'

onEachDatabase('Users from before names and emails were one namespace', (name) => {
  let opened: OpenedDatabase
  before(async () => {
    opened = await newDatabase(name)
  })
  after(() => opened.drop())

  it('keep their names, and a name that is the email of another leads to that one', async () => {
    const database = opened.open()
    await migrate(database, [...tenantMigrations, ...userMigrations.slice(0, 1)])
    await add('victim', 'victim@example.com')
    await add('victim@example.com', 'rival@example.com')
    await add('same@example.com', 'same@example.com')
    await migrate(database, [...tenantMigrations, ...userMigrations])
    const catalogue = new CatalogueData('default', database.executor)
    const userOf = async (key: string) => (await findBySignInName(catalogue, key))?.user_name ?? null
    assert.deepEqual(
      await Promise.all(
        ['victim', 'victim@example.com', 'rival@example.com', 'same@example.com', 'nobody'].map(userOf),
      ),
      ['victim', 'victim', 'victim@example.com', 'same@example.com', null],
    )
    assert.equal((await inspect(opened.url, 'SELECT id FROM account')).length, 3)
  })

  function add(userName: string, email: string) {
    const texts = ['default', userName, userName, email, email, 'hash', 'First', 'Last', 'User']
    const values = [randomUUID(), ...texts].map((text) => `'${text}'`).join(', ')
    const columns =
      'id, tenant_id, user_name, user_name_key, email, email_key, password_hash, first_name, last_name, roles'
    const rest =
      name === 'sqlite' ? "1, '2026-01-31T09:30:00.000Z', 1" : "true, '2026-01-31T09:30:00.000Z', 1"
    return inspect(
      opened.url,
      `INSERT INTO account (${columns}, is_active, created_at, version) VALUES (${values}, ${rest})`,
    )
  }
})
