/** Few dependencies, each with its reason, and the same ones on every machine. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readProjectFile } from '../support/source.ts'

/** With what they bring. */
const maxPackages = 110
const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/

interface Manifest {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  [group: string]: unknown
}

interface Lock {
  packages: Record<string, { dev?: boolean; resolved?: unknown }>
}

const manifest: Manifest = JSON.parse(readProjectFile('package.json') ?? '')
const lock: Lock = JSON.parse(readProjectFile('package-lock.json') ?? '')

describe('dependencies', () => {
  test('are few packages at run time', () => {
    const count = Object.entries(lock.packages).filter(
      ([path, { dev }]) => path !== '' && dev !== true,
    ).length
    assert.ok(count > 50 && count <= maxPackages, `${count} of ${maxPackages} packages: do without one`)
  })

  test('have exact versions', () => {
    const found = inexact({ ...manifest.dependencies, ...manifest.devDependencies })
    assert.ok(found.length === 0, `${found.join(', ')}: run npm install --save-exact`)
    assert.deepEqual(inexact({ a: '1.2.3', b: '18.4.0-beta.17' }), [])
    const loose = { c: '^1.2.3', d: '1.x', e: 'latest', f: '1.2', g: 'npm:other@1.2.3', h: 'file:../h' }
    assert.deepEqual(inexact(loose), Object.keys(loose))
  })

  test('are of the two usual kinds', () => {
    const kinds = ['optionalDependencies', 'peerDependencies', 'bundleDependencies', 'overrides']
    const found = kinds.filter((kind) => kind in manifest)
    assert.ok(found.length === 0, `${found.join(', ')}: move them to dependencies or devDependencies`)
  })

  test('have their reasons in ARCHITECTURE.md', () => {
    const document = readProjectFile('ARCHITECTURE.md') ?? ''
    const found = unexplained(Object.keys(manifest.dependencies), document)
    assert.ok(found.length === 0, `${found.join(', ')}: add a line to the dependencies in ARCHITECTURE.md`)
    assert.deepEqual(unexplained(['pg', '@fastify/cors'], '`pgpass`, `@fastify/cors`'), ['pg'])
  })

  test('are locked as they are declared', () => {
    const locked = lock.packages[''] ?? {}
    const { dependencies, devDependencies } = manifest
    assert.deepEqual(
      { dependencies, devDependencies },
      pickMembers(locked, 'dependencies', 'devDependencies'),
      'run: npm install',
    )
  })

  test('are locked to no host', () => {
    const found = resolvedEntries(lock)
    assert.ok(
      found.length === 0,
      `${found.length} entries of package-lock.json have a host: remove their "resolved"`,
    )
    assert.deepEqual(resolvedEntries({ packages: { a: { resolved: 'https://example.com/a.tgz' }, b: {} } }), [
      'a',
    ])
  })
})

function inexact(versions: Record<string, string>): string[] {
  return Object.keys(versions).filter((name) => !exact.test(versions[name] ?? ''))
}

/** A name counts where it stands in code marks, as the document writes names. */
function unexplained(names: string[], document: string): string[] {
  return names.filter((name) => !document.includes(`\`${name}\``))
}

function resolvedEntries({ packages }: Lock): string[] {
  return Object.keys(packages).filter((name) => 'resolved' in (packages[name] ?? {}))
}

function pickMembers(value: object, ...names: string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
}
