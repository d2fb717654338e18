import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { StrippedSources } from '../support/run/stripped-sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'tenantry-stripped-'))
after(() => rmSync(folder, { recursive: true }))
const [one, other] = [join(folder, 'one.ts'), join(folder, 'other.ts')]
writeFileSync(one, 'export const one: number = 1\n')
writeFileSync(other, 'export const other: number = 2\n')

test('A source loses its types, and nothing moves', () => {
  const sources = new StrippedSources(join(folder, 'moves.json'))
  assert.equal(sources.textOf(one), 'export const one         = 1\n')
})

test('What processes have stripped is kept for the next one, until the source changes', () => {
  const file = join(folder, 'kept', 'kept.json')
  const [first, second] = [new StrippedSources(file), new StrippedSources(file)]
  first.textOf(one)
  second.textOf(other)
  first.save()
  second.save()
  const kept = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual(Object.keys(kept), [one, other])
  // Only what is kept has this text.
  kept[one].text = '// kept'
  writeFileSync(file, JSON.stringify(kept))
  const next = new StrippedSources(file)
  assert.equal(next.textOf(one), '// kept')
  writeFileSync(one, 'export const one: number = 3\n')
  assert.equal(next.textOf(one), 'export const one         = 3\n')
})

test('A process that has stripped nothing new writes nothing', () => {
  const file = join(folder, 'nothing.json')
  new StrippedSources(file).save()
  assert.equal(existsSync(file), false)
})
