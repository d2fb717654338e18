/** The console stays small. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, it } from 'node:test'

const folder = resolve(import.meta.dirname, '../../dist/console')
/** A visitor loads the texts of one language. */
const isOfOtherLanguage = /^assets\/(?!en-)[a-z]{2}-[\w-]+\.js$/
const maxFirstBytes = 60_000
const maxCodeBytes = 128_000
const maxBytes = 150_000

describe('The files of the console', () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...page.matchAll(/\/console\/(assets\/[\w.-]+)/g)].map(([, name = '']) => name)
  // The script asks for the texts of one language before it draws anything.
  const [dictionary = ''] = globSync('assets/en-*.js', { cwd: folder })
  const first = ['index.html', ...withImports([...named, dictionary])].filter(
    (name) => !name.endsWith('.woff2'),
  )

  it('are at most 60 kB for the first page, compressed', () => {
    assert.equal(named.length, 3, 'a font, a script and a style')
    assert.ok(first.length > 3, 'the script imports another at once')
    assert.ok(sizeOf(first) <= maxFirstBytes, `${sizeOf(first)} bytes`)
  })

  it('are at most 128 kB of code in one language, compressed, and 150 kB with the font', () => {
    const ofOthers = globSync('assets/*.js', { cwd: folder }).filter((name) => isOfOtherLanguage.test(name))
    const own = globSync('**/*.{html,css,js}', { cwd: folder }).filter((name) => !ofOthers.includes(name))
    // What the texts of other languages alone import is loaded with them.
    const code = own.filter((name) => !withImports(ofOthers).includes(name) || isImported(name, own))
    assert.ok(code.length >= first.length)
    assert.ok(sizeOf(code) <= maxCodeBytes, `${sizeOf(code)} bytes`)
    const fonts = globSync('**/*.woff2', { cwd: folder })
    assert.equal(fonts.length, 1)
    assert.ok(sizeOf([...code, ...fonts]) <= maxBytes, `${sizeOf([...code, ...fonts])} bytes`)
  })
})

function isImported(file: string, by: readonly string[]): boolean {
  return by.some(
    (name) => name.endsWith('.js') && readFileSync(join(folder, name), 'utf8').includes(basename(file)),
  )
}

/** What a browser loads before the script runs: all that its files import, other than when asked for. */
function withImports(names: readonly string[]): string[] {
  const found = new Set(names)
  for (const name of found) {
    if (!name.endsWith('.js')) continue
    const text = readFileSync(join(folder, name), 'utf8')
    for (const [, file = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([\w.-]+)"/g))
      found.add(`assets/${file}`)
  }
  return [...found]
}

/** As a browser gets them: what has no compressed file beside it counts as it is. */
function sizeOf(names: readonly string[]): number {
  return names.reduce((sum, name) => {
    const sent = existsSync(join(folder, `${name}.br`)) ? `${name}.br` : name
    return sum + readFileSync(join(folder, sent)).length
  }, 0)
}
