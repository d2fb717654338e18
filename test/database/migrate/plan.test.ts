/** A database is migrated only if the whole plan fits it. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { inspectMigrations, migrate } from '../../../src/database/migrate/apply.ts'
import { isOlder } from '../../../src/database/migrate/plan.ts'
import { type Migration, MigrationRefused } from '../../../src/database/migration.ts'
import { version } from '../../../src/database/version.ts'
import { inspect } from '../../support/database/inspect.ts'
import { newDatabase, type OpenedDatabase } from '../../support/database/opened.ts'
import { onEachDatabase } from '../../support/databases.ts'

const first = migration('note-0001', ['CREATE TABLE note (id integer, text text)'])
const second = migration('note-0002', ['CREATE TABLE label (id integer)'])

onEachDatabase('A database', (name) => {
  let opened: OpenedDatabase
  beforeEach(async () => {
    opened = await newDatabase(name)
  })
  afterEach(() => opened.drop())

  /** Asserts that neither `migrate` nor the look at what it would do goes on, and that nothing is applied. */
  async function assertRefused(migrations: Migration[], problem: RegExp): Promise<void> {
    const database = opened.open()
    const before = await applied()
    for (const attempt of [migrate, inspectMigrations])
      await assert.rejects(attempt(database, migrations), (error: unknown) => {
        assert.ok(error instanceof MigrationRefused)
        assert.match(error.message, /^The database is not migrated, and nothing was changed\. /)
        assert.match(error.message, problem)
        return true
      })
    assert.deepEqual(await applied(), before)
  }

  async function applied(): Promise<unknown[]> {
    return inspect(opened.url, 'SELECT * FROM migration ORDER BY name').catch(() => [])
  }

  it('is not migrated by a program whose migration has changed since it was applied', async () => {
    await migrate(opened.open(), [first])
    const changed = migration('note-0001', ['CREATE TABLE note (id integer, text varchar)'])
    await assertRefused(
      [changed, second],
      /Migration note-0001 was applied on \d{4}-.*, and its statements have changed since\. Undo the change/,
    )
  })

  it('does not mind comments, blanks and line ends', async () => {
    await migrate(opened.open(), [first])
    const same = 'CREATE TABLE note -- as before\r\n  (\n    id   integer,\n    text text /* long */\n  )'
    assert.deepEqual(await migrate(opened.open(), [migration('note-0001', [same])]), [])
  })

  it('notices a blank within quotes', async () => {
    const quoted = (text: string) =>
      migration('note-0001', [`CREATE TABLE note (text text DEFAULT '${text}')`])
    await migrate(opened.open(), [quoted('a b')])
    await assertRefused([quoted('a  b')], /note-0001/)
  })

  it('is not migrated if it has a table that is to be created', async () => {
    await inspect(opened.url, 'CREATE TABLE label (id integer)')
    await assertRefused(
      [first, second],
      /Migration note-0002 creates the table label, which is there already\. If it belongs to another application/,
    )
  })

  it('may have a table that is to be replaced', async () => {
    await migrate(opened.open(), [first])
    const replacing = migration('note-0002', [
      'CREATE TABLE new_note (id integer)',
      'DROP TABLE note',
      'ALTER TABLE new_note RENAME TO note',
      'DROP TABLE IF EXISTS note',
      'CREATE TABLE note (id integer)',
    ])
    assert.deepEqual(await migrate(opened.open(), [first, replacing]), ['note-0002'])
  })

  it('of a newer version is refused by an older program that does not work on its tables', async () => {
    await migrate(opened.open(), [first, { ...second, oldestVersion: '999.1.0' }])
    await assertRefused(
      [first],
      new RegExp(
        `Migration note-0002 of a newer version of Tenantry was applied: its tables need version 999\\.1\\.0 or newer, and this is version ${version}\\. Run the newer version`,
      ),
    )
  })

  it('of a newer version is used by an older program that works on its tables', async () => {
    await migrate(opened.open(), [first, { ...second, oldestVersion: version }])
    assert.deepEqual(await migrate(opened.open(), [first]), [])
  })

  it('may have the tables of an application that is not there', async () => {
    await migrate(opened.open(), [first, second])
    assert.deepEqual(await migrate(opened.open(), [first]), [])
  })
})

it('Versions are compared by their numbers', () => {
  const pairs = [
    ['0.2.0', '0.2.0', false],
    ['0.2.0', '0.10.0', true],
    ['0.10.0', '0.2.0', false],
    ['1.0.0', '0.9.9', false],
    ['0.9.9', '1.0.0', true],
    ['0.2.0', null, false],
  ] as const
  for (const [own, oldest, expected] of pairs)
    assert.equal(isOlder(own, oldest), expected, `${own} and ${oldest}`)
})

function migration(name: string, statements: string[]): Migration {
  return { name, database: 'catalogue', statements: () => statements }
}
