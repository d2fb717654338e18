/** The dictionaries of the console: what one says, each says, and in its own language. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { ConsoleText } from '../../assets/console/text/en.ts'
import { errorKinds } from '../../src/core/errors.ts'
import { faultTypes } from '../../src/core/fault-codes.ts'
import { german } from '../../src/core/language/de.ts'
import { pluralsOf } from '../../src/core/language/plural.ts'

const folder = resolve(import.meta.dirname, '../../assets/console/text')
/** A language is a file with its code. */
const codes = globSync('[a-z][a-z].ts', { cwd: folder }).map((name) => basename(name, '.ts'))
const minWords = 4

type Texts = ReadonlyMap<string, string>

describe('The texts of the console', () => {
  const dictionaries = new Map<string, ConsoleText>()
  const texts = new Map<string, Texts>()
  before(async () => {
    for (const code of codes) {
      const dictionary = await dictionaryOf(code)
      dictionaries.set(code, dictionary)
      texts.set(code, new Map(textsIn(dictionary, '')))
    }
  })
  const of = (code: string): Texts => texts.get(code) ?? new Map()

  it('are in each language, also those that the type leaves open', () => {
    assert.deepEqual(codes.toSorted(), ['de', 'en', 'fr'])
    const names = [...of('en').keys()].toSorted()
    assert.ok(names.length > 500)
    for (const code of codes) assert.deepEqual([...of(code).keys()].toSorted(), names, code)
  })

  it('are translated: no sentence is the same in two languages', () => {
    assert.ok(isSentence('Nobody is invited at present.') && !isSentence('`a b` or `c d e`, URL'))
    const same = codes.flatMap((code, index) =>
      codes
        .slice(index + 1)
        .flatMap((other) =>
          [...of(code)]
            .filter(([name, text]) => isSentence(text) && of(other).get(name) === text)
            .map(([name, text]) => `${code} and ${other}, ${name}: ${text}`),
        ),
    )
    assert.deepEqual(same, [])
  })

  it('are in the plural form of a count, with the digits of the language', () => {
    const rows = { one: '# row', other: '# rows' }
    const english = pluralsOf('en-GB')
    assert.deepEqual(
      [0, 1, 2, 1234].map((count) => english(count, rows)),
      ['0 rows', '1 row', '2 rows', '1,234 rows'],
    )
    assert.deepEqual(
      [0, 1, 2, 1234].map((count) => pluralsOf('fr')(count, { one: '# ligne', other: '# lignes' })),
      ['0 ligne', '1 ligne', '2 lignes', '1\u202f234 lignes'],
    )
    assert.equal(pluralsOf('de')(1234, { one: '# Zeile', other: '# Zeilen' }), '1.234 Zeilen')
    assert.equal(pluralsOf('pl')(22, { few: '# wiersze', other: '# wiersza' }), '22 wiersze')
    assert.equal(pluralsOf('pl')(1, { other: '# ms' }), '1 ms')
  })

  it('tell what each setting of the service means', () => {
    const path = 'administration.settings.hints.'
    const told = [...of('en').keys()].filter((name) => name.startsWith(path))
    assert.deepEqual(
      told.map((name) => name.slice(path.length)).toSorted(),
      Object.keys(german.built.settings).toSorted(),
    )
  })

  it('name each error of the service, and leave what an application says', () => {
    const kinds = Object.entries(errorKinds).map(([code, { text }]) => ({ code, title: text, detail: text }))
    for (const code of codes.filter((each) => each !== 'en')) {
      const { error } = dictionaries.get(code)?.state ?? assert.fail(code)
      assert.deepEqual(
        kinds.filter((kind) => error(kind) === kind.detail),
        [],
      )
      const own = { ...kinds[0], detail: 'The loan is overdue.' }
      assert.equal(error(own), own.detail)
    }
  })

  it('say what is wrong with a field, by each code of the service', () => {
    const declared: readonly (readonly [string, { text: string; parameters?: readonly string[] }])[] =
      Object.entries(faultTypes)
    for (const code of ['de', 'fr']) {
      const { fault } = dictionaries.get(code)?.state ?? assert.fail(code)
      for (const [kind, { parameters = [] }] of declared) {
        const given = Object.fromEntries(parameters.map((name) => [name, name === 'limit' ? 7 : `<${name}>`]))
        const said = fault('untranslated', kind, given)
        assert.notEqual(said, 'untranslated', `${code} ${kind}`)
        for (const value of Object.values(given))
          assert.ok(said.includes(`${value}`), `${code} ${kind}: ${said}`)
        assert.doesNotMatch(said, /[{}]|undefined|# /, `${code} ${kind}`)
      }
      for (const foreign of [undefined, 'ofAnApplication', 'constructor'])
        assert.equal(fault('must rhyme', foreign), 'must rhyme')
    }
    const { fault } = dictionaries.get('de')?.state ?? assert.fail('de')
    assert.equal(fault('', 'tooLong', { limit: 1 }), 'darf höchstens ein Zeichen haben')
    assert.equal(fault('', 'tooLong', { limit: 2000 }), 'darf höchstens 2.000 Zeichen haben')
    assert.equal(fault('', 'tooSmall', { limit: 0.5 }), 'muss mindestens 0,5 sein')
    assert.equal(
      fault('', 'wrongType', { type: 'integer, null' }),
      'hat nicht die richtige Art (verlangt: ganze Zahl, kein Wert)',
    )
    assert.equal(fault('', 'badFormat', { format: 'date' }), 'hat nicht die richtige Form (verlangt: Datum)')
    assert.equal(fault('', 'notOneOf', { values: 'date, text' }), 'muss einer dieser Werte sein: date, text')
  })

  it('say one row of one', () => {
    const shown = ['en', 'de', 'fr'].map((code) => of(code).get('importer.start'))
    assert.deepEqual(shown, ['Create 1 row', '1 Zeile anlegen', 'Créer 1 ligne'])
  })
})

async function dictionaryOf(code: string): Promise<ConsoleText> {
  const exported = Object.values(await import(pathToFileURL(`${folder}/${code}.ts`).href))
  assert.equal(exported.length, 1, `${code}.ts has one dictionary`)
  return exported[0] as ConsoleText // the compiler has seen that it is
}

/** @returns by the path of their keys; what is said of something is said of `1` */
function textsIn(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, value('1', '1', '1')]]
  return Object.entries(value ?? {}).flatMap(([key, each]) =>
    textsIn(each, path === '' ? key : `${path}.${key}`),
  )
}

/** Code is the same everywhere. */
function isSentence(text: string): boolean {
  const words = text.replaceAll(/`[^`]*`|\S*[…=:/]\S*/g, ' ').match(/\p{L}{2,}/gu) ?? []
  return words.length >= minWords
}
