/** The console stays small. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'

const folder = resolve(import.meta.dirname, '../../dist/console')
const maxFirstBytes = 60_000
const maxBytes = 150_000

describe('The files of the console', () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...page.matchAll(/\/console\/(assets\/[\w.-]+)/g)].map(([, name = '']) => name)
  const first = ['index.html', ...withImports(named)]

  it('are at most 60 kB for the first page, compressed', () => {
    assert.equal(named.length, 2, 'a script and a style')
    assert.ok(first.length > 3, 'the script imports another at once')
    assert.ok(sizeOf(first) <= maxFirstBytes, `${sizeOf(first)} bytes`)
  })

  it('are at most 150 kB in all, compressed', () => {
    const all = globSync('**/*.{html,css,js}', { cwd: folder })
    assert.ok(all.length >= first.length)
    assert.ok(sizeOf(all) <= maxBytes, `${sizeOf(all)} bytes`)
  })
})

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

function sizeOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0)
}
