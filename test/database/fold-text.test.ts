/** Text without regard to case: as Unicode defines it, and alike on both databases. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Database } from '../../src/database/executor.ts'
import { foldByLowerCase, foldText } from '../../src/database/fold-text.ts'
import { migrate } from '../../src/database/migrate/apply.ts'
import type { Migration } from '../../src/database/migration.ts'
import { creationOf, type Table } from '../../src/database/table.ts'
import { entityFeature } from '../../src/entity/feature.ts'
import { newDatabase, type OpenedDatabase } from '../support/database/opened.ts'
import { onEachDatabase } from '../support/databases.ts'
import { runSeed, runsOf } from '../support/run/extent.ts'

const codePoints = Array.from({ length: 0x110000 }, (_, code) => code).filter(
  (code) => code > 0 && (code < 0xd800 || code > 0xdfff),
)
const letters = codePoints.map((code) => String.fromCodePoint(code))

describe('Folded text', () => {
  let casefold: (text: string) => string
  before(async () => {
    casefold = await readCaseFolding()
  })
  /** The Unicode Standard, section 3.13, D145. */
  const canonical = (text: string) => casefold(text.normalize('NFD')).normalize('NFD')

  it('is alike for two letters if they match canonically and caselessly, and not otherwise', () => {
    // What matches has one folding, and what has one folding matches.
    const faults = letters.filter((letter) => {
      const [folded, expected] = [foldText(letter), canonical(letter)]
      return foldText(expected) !== folded || canonical(folded) !== expected
    })
    assert.deepEqual(faults, [])
  })

  it('is alike for two texts likewise', () => {
    const letter = fc.oneof(
      fc.constantFrom(
        ...'aAiIıİſsSßẞσςΣιΐΪϊΰ',
        '\u0301',
        '\u0308',
        '\u0307',
        '\u0345',
        'ᾳ',
        'ﬃ',
        'ŉ',
        '\u0313',
        'é',
      ),
      fc.nat(letters.length - 1).map((index) => letters[index] ?? ''),
    )
    const forms = fc.constantFrom(
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase(),
      (text: string) => text.normalize('NFD'),
      (text: string) => text.normalize('NFC'),
      (text: string) => [...text].reverse().join(''),
    )
    const texts = fc.array(letter, { maxLength: 8 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, fc.array(forms, { maxLength: 3 }), (text, changes) => {
        const other = changes.reduce((each, change) => change(each), text)
        assert.equal(foldText(text) === foldText(other), canonical(text) === canonical(other))
        assert.equal(foldText(foldText(text)), foldText(text))
      }),
      { numRuns: runsOf(2000, 50_000), seed: runSeed },
    )
  })
})

const note: Table = {
  name: 'note',
  columns: [
    { name: 'id', kind: 'id', isNullable: false },
    { name: 'title', kind: 'key', isNullable: true },
    { name: 'search_title', kind: 'text', isNullable: true, folds: 'title' },
    // Not folded.
    { name: 'size', kind: 'integer', isNullable: true },
    { name: 'search_size', kind: 'integer', isNullable: true },
  ],
  key: ['id'],
  indexes: [{ columns: ['search_title'], isUnique: true }],
  foreignKeys: [],
}

onEachDatabase('A folded text', (databaseName) => {
  let opened: OpenedDatabase
  let database: Database
  before(async () => {
    opened = await newDatabase(databaseName)
    database = opened.open()
    await migrate(database, [...beforeNow, notes])
  })
  after(() => opened.drop())

  const read = async (sql: string, parameters: unknown[] = []) =>
    (await database.executor.run(sql, parameters, false)).rows

  it('that was stored before the folding changed is folded again, unless another row has its folding', async () => {
    const rows = [
      ['STRASSE', 'strasse', 'strasse'],
      ['STRAẞE', 'straße', 'straße'],
      ['Ϊ́', 'ϊ\u0301', 'ΐ'],
      ['ISPARTA', 'isparta', 'isparta'],
      ['DIŞ', 'diş', 'diş'],
      ['ẞ', 'ß', 'ss'],
      ['\u0390x', 'x', 'ΐx'],
      ['ẞq', 'ßq', 'ssq'], // whose folding the next row has until it is folded again itself
      ['\u0390ssq', 'ssq', 'ΐssq'],
      [null, null, null],
    ] as const
    await database.transaction(async (transaction) => {
      for (const [index, [title, former]] of rows.entries())
        await transaction.run(insertion(databaseName), [idOf(index), title, former], false)
    })
    await migrate(database, [...(entityFeature.migrations ?? []), notes])
    const found = await read('SELECT title, search_title FROM note ORDER BY id')
    assert.deepEqual(
      found.map((row) => Object.values(row)),
      rows.map(([title, , folded]) => [title, folded]),
    )
  })

  it('is that of the service, for every letter', async () => {
    const texts = letters.filter((letter) => !/[\p{Cn}\p{Co}\p{Script=Han}]/u.test(letter))
    const functions = { sqlite: ['fold_text(value)'], postgres: ['fold_text(value)', ofOlderVersions] }
    const rows = { sqlite: 'json_each(?)', postgres: 'json_array_elements_text($1::json) AS t(value)' }
    for (const fold of functions[databaseName]) {
      const sql = `SELECT ${fold} AS folded FROM ${rows[databaseName]}`
      const found = await read(sql, [JSON.stringify(texts)])
      assert.deepEqual(
        texts.filter((text, index) => found[index]?.['folded'] !== foldText(text)),
        [],
      )
    }
  })
})

/** With the lower case of all of Unicode, which not every database has by default. */
const ofOlderVersions = foldByLowerCase('pg_catalog.pg_unicode_fast')
const beforeNow = (entityFeature.migrations ?? []).filter(({ foldsAgain }) => foldsAgain !== true)
const notes: Migration = {
  name: 'note-0001',
  database: 'tenant',
  statements: (types, dialect) => creationOf(note, types, dialect),
}

function insertion(database: string): string {
  const values = database === 'sqlite' ? '?, ?, ?' : '$1, $2, $3'
  return `INSERT INTO note (tenant_id, id, title, search_title) VALUES ('a', ${values})`
}

function idOf(index: number): string {
  return `0198c6f0-3d5a-7c31-9a57-00000000000${index}`
}

/** @returns the full case folding of Unicode, from its data */
async function readCaseFolding(): Promise<(text: string) => string> {
  const version = process.versions.unicode
  const read = async (status: string): Promise<Map<number, number | number[]>> =>
    (await import(`@unicode/unicode-${version}.0/Case_Folding/${status}/code-points.mjs`)).default
  const mappings = new Map([...(await read('C')), ...(await read('F'))])
  assert.ok(mappings.size > 1500)
  return (text) =>
    Array.from(text, (letter) => {
      const mapping = mappings.get(letter.codePointAt(0) ?? 0)
      return mapping === undefined ? letter : String.fromCodePoint(...[mapping].flat())
    }).join('')
}
