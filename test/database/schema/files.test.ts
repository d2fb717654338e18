/** Migrations as files: what is read of them, and what is refused. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { digestOf } from '../../../src/database/migrate/digest.ts'
import { columnTypes, type Migration } from '../../../src/database/migration.ts'
import { MigrationFileError } from '../../../src/database/schema/failure.ts'
import { migrationText, readMigration } from '../../../src/database/schema/migration-file.ts'
import { readMigrations } from '../../../src/database/schema/read-migrations.ts'
import { readSnapshot, snapshotText } from '../../../src/database/schema/snapshot.ts'
import { splitStatements } from '../../../src/database/schema/split-statements.ts'
import { decide, Project } from './project.ts'
import { column, optional, table } from './tables.ts'

const note = table('note', [
  column('title', 'key', { values: ['low', 'high'], initial: 'low' }),
  optional('size', 'integer', { min: 0, max: 9 }),
])

describe('The folder of migrations', () => {
  it('gets numbered files and a snapshot with a line for each column', () => {
    using project = new Project()
    project.write([note])
    project.write([table('note', [column('title', 'key')])], decide('--drop', 'note.size'))
    project.write([table('note', [column('title', 'key')])])
    assert.deepEqual(readdirSync(project.folder), ['0001-change.sql', '0002-change.sql', 'snapshot.json'])
    assert.equal(
      readFileSync(join(project.folder, 'snapshot.json'), 'utf8'),
      `{
  "version": 1,
  "tables": [
    {
      "name": "note",
      "columns": [
        { "name": "id", "kind": "id", "isNullable": false },
        { "name": "title", "kind": "key", "isNullable": false },
        { "name": "created_at", "kind": "timestamp", "isNullable": false }
      ],
      "key": ["id"],
      "indexes": [],
      "foreignKeys": []
    }
  ]
}
`,
    )
    const { migrations, snapshot } = readMigrations(pathToFileURL(project.folder))
    assert.deepEqual(
      migrations.map(({ name, database, replacesTables = false }) => [name, database, replacesTables]),
      [
        ['0001-change', 'tenant', false],
        ['0002-change', 'tenant', true],
      ],
    )
    assert.deepEqual(snapshot, [table('note', [column('title', 'key')])])
  })

  it('has files that may begin with the oldest version that works on their tables', () => {
    const ofBoth = { sqlite: ['SELECT 1'], postgres: ['SELECT 2'] }
    const read = (oldestVersion: string | null) =>
      readMigration('a', migrationText({ statements: ofBoth, oldestVersion }))
    assert.equal(read('0.2.0').oldestVersion, '0.2.0')
    assert.equal(digestOf(read('0.2.0')), digestOf(read(null)))
    assert.ok(!('oldestVersion' in read(null)))
  })

  it('is empty before the first migration', () => {
    using project = new Project()
    const folder = join(project.folder, 'migrations')
    assert.deepEqual(readMigrations(folder), { folder, migrations: [], snapshot: [] })
  })

  const sections = '-- sqlite\n-- postgres\n'
  const refused: [title: string, files: Record<string, string>, message: RegExp][] = [
    [
      'a missing number',
      { '0001-a.sql': sections, '0003-b.sql': sections },
      /0003-b\.sql: there is no migration 0002 before it\.$/,
    ],
    [
      'two files of one number',
      { '0001-a.sql': sections, '0001-b.sql': sections },
      /0001-b\.sql has the number of 0001-a\.sql: give one of them the next number\.$/,
    ],
    [
      'the number 0000',
      { '0000-a.sql': sections },
      /0000-a\.sql: the name of a migration is like 0001-create-invoice\.sql\.$/,
    ],
    [
      'a name without a number',
      { 'a.sql': sections },
      /a\.sql: the name of a migration is like 0001-create-invoice\.sql\.$/,
    ],
    [
      'a missing section',
      { '0001-a.sql': '-- sqlite\nSELECT 1;' },
      /0001-a\.sql: it must have the line "-- postgres" once, before the statements for it\.$/,
    ],
    [
      'a section that is there twice',
      { '0001-a.sql': `${sections}${sections}` },
      /0001-a\.sql: it must have the line "-- sqlite" once/,
    ],
    [
      'statements before the sections',
      { '0001-a.sql': `SELECT 1;\n${sections}` },
      /0001-a\.sql: it has statements before the line "-- sqlite"\.$/,
    ],
    [
      'a missing snapshot',
      { '0001-a.sql': sections, 'snapshot.json': '' },
      /snapshot\.json: Unexpected end of JSON input\.$/,
    ],
    [
      'a snapshot that is none',
      { 'snapshot.json': '{"version":1,"tables":[{"name":"note"}]}' },
      /snapshot\.json: \/tables\/0 must have required properties/,
    ],
    [
      'a snapshot of another version',
      { 'snapshot.json': '{"version":2,"tables":[]}' },
      /snapshot\.json: \/version must be /,
    ],
  ]
  for (const [title, files, message] of refused) {
    it(`refuses ${title}, and names the file`, () => {
      using project = new Project()
      mkdirSync(project.folder, { recursive: true })
      for (const [file, text] of Object.entries(files)) writeFileSync(join(project.folder, file), text)
      assert.throws(
        () => readMigrations(project.folder),
        (error) => {
          assert.ok(error instanceof MigrationFileError)
          assert.match(error.message, message)
          return error.message.startsWith(project.folder)
        },
      )
    })
  }

  it('refuses migrations without a snapshot', () => {
    using project = new Project()
    writeFileSync(join(project.folder, '0001-a.sql'), sections)
    assert.throws(
      () => readMigrations(project.folder),
      /snapshot\.json is missing, although there are migrations\.$/,
    )
  })
})

describe('A snapshot', () => {
  it('is read as it was written, without the values of existing rows', () => {
    const full = table(
      'full',
      [
        column('search_title', 'text', { folds: 'title' }),
        column('number', 'integer', { sequence: 'full.number' }),
      ],
      {
        indexes: [
          { columns: ['number', 'id'], isUnique: true },
          { columns: ['search_title'], isUnique: false, isSearch: true },
          { columns: ['number'], isUnique: false, isPartial: true },
        ],
        foreignKeys: [{ column: 'id', table: 'note', cascades: true }],
      },
    )
    const [title = note.columns[0], ...others] = note.columns.slice(1)
    const { initial: _initial, ...stored } = title ?? column('', 'key')
    const without = { ...note, columns: [...note.columns.slice(0, 1), stored, ...others] }
    assert.deepEqual(readSnapshot(snapshotText([note, full])), [full, without])
  })
})

describe('A migration file', () => {
  it('has the statements of each database, whatever the ends of its lines', () => {
    const text = '-- Adds what is missing.\n\n-- postgres\nSELECT 2;\n-- sqlite\nSELECT 1;\nSELECT 3\n'
    for (const lines of [text, text.replaceAll('\n', '\r\n')]) {
      const read = readMigration('0001-a', lines)
      assert.deepEqual(
        [statements(read, 'sqlite'), statements(read, 'postgres')],
        [['SELECT 1', 'SELECT 3'], ['SELECT 2']],
      )
      assert.equal(read.replacesTables, undefined)
    }
  })

  it('runs without foreign keys on SQLite when it says so', () => {
    const read = readMigration('0001-a', '-- sqlite\npragma foreign_keys=off;\nSELECT 1;\n-- postgres\n')
    assert.deepEqual([statements(read, 'sqlite'), read.replacesTables], [['SELECT 1'], true])
  })

  const texts: [title: string, text: string, ...statements: string[]][] = [
    ['quoted text', "SELECT ';', 'it''s;'; SELECT 2", "SELECT ';', 'it''s;'", 'SELECT 2'],
    ['quoted names', 'SELECT ";" FROM "a"";"; SELECT 2', 'SELECT ";" FROM "a"";"', 'SELECT 2'],
    ['comments', '-- first; one\nSELECT 1 -- a; b\n/* c; */; -- last;', 'SELECT 1 -- a; b\n/* c; */'],
    ['nothing', ' ; ;\n-- only this\n'],
  ]
  for (const dialect of ['sqlite', 'postgres'] as const) {
    for (const [title, text, ...expected] of texts) {
      it(`is split outside of ${title} on ${dialect}`, () => {
        assert.deepEqual(splitStatements(text, dialect), expected)
      })
    }
  }

  it('is split outside of the bodies of functions on PostgreSQL', () => {
    const first = 'DO $$ BEGIN PERFORM 1; END $$'
    const second = "CREATE FUNCTION f() RETURNS text LANGUAGE sql AS $body$ SELECT '$$;'; $body$"
    const third = "SELECT E'it\\';', name'x'"
    assert.deepEqual(splitStatements(`${first};${second};\n${third};`, 'postgres'), [first, second, third])
  })

  it('is split outside of triggers on SQLite', () => {
    const trigger = 'CREATE TRIGGER a AFTER INSERT ON b BEGIN UPDATE c SET d = 1; DELETE FROM e; END'
    assert.deepEqual(splitStatements(`${trigger};\nSELECT 1;`, 'sqlite'), [trigger, 'SELECT 1'])
    const backquoted = 'SELECT `;`, [;] FROM a'
    assert.deepEqual(splitStatements(`${backquoted};`, 'sqlite'), [backquoted])
  })
})

function statements(migration: Migration, dialect: 'sqlite' | 'postgres'): string[] {
  return migration.statements(columnTypes[dialect], dialect)
}
