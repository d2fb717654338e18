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
  const first = [
    'index.html',
    ...[...page.matchAll(/\/console\/(assets\/[\w.-]+)/g)].map(([, name = '']) => name),
  ]

  it('are at most 60 kB for the first page, compressed', () => {
    assert.equal(first.length, 3, 'the page, its script and its style')
    assert.ok(sizeOf(first) <= maxFirstBytes, `${sizeOf(first)} bytes`)
  })

  it('are at most 150 kB in all, compressed', () => {
    const all = globSync('**/*.{html,css,js}', { cwd: folder })
    assert.ok(all.length >= first.length)
    assert.ok(sizeOf(all) <= maxBytes, `${sizeOf(all)} bytes`)
  })
})

function sizeOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0)
}
