/** Few dependencies, each with its reason, and the same ones on every machine. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readProjectFile } from '../support/source.ts'

const mostDirect = 20
const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/

interface Manifest {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  [group: string]: unknown
}

interface Lock {
  packages: Record<string, object>
}

const manifest: Manifest = JSON.parse(readProjectFile('package.json') ?? '')
const lock: Lock = JSON.parse(readProjectFile('package-lock.json') ?? '')

describe('dependencies', () => {
  test('are at most 20 at run time', () => {
    assert.ok(Object.keys(manifest.dependencies).length <= mostDirect)
  })

  test('have exact versions', () => {
    const declared = { ...manifest.dependencies, ...manifest.devDependencies }
    assert.deepEqual(inexact(declared), [], 'write an exact version of each of these into package.json')
    assert.deepEqual(inexact({ a: '1.2.3', b: '18.4.0-beta.17' }), [])
    const loose = { c: '^1.2.3', d: '1.x', e: 'latest', f: '1.2', g: 'npm:other@1.2.3', h: 'file:../h' }
    assert.deepEqual(inexact(loose), Object.keys(loose))
  })

  test('are of the two usual kinds', () => {
    const kinds = ['optionalDependencies', 'peerDependencies', 'bundleDependencies', 'overrides']
    assert.deepEqual(
      kinds.filter((kind) => kind in manifest),
      [],
    )
  })

  test('have their reasons in ARCHITECTURE.md', () => {
    const document = readProjectFile('ARCHITECTURE.md') ?? ''
    const mend = 'write the reasons of these into ARCHITECTURE.md, under Dependencies'
    assert.deepEqual(unexplained(Object.keys(manifest.dependencies), document), [], mend)
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
    assert.deepEqual(resolvedEntries(lock), [])
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
