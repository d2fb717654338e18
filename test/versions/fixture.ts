/** The data of a former version as one file: its data folder, and its databases on PostgreSQL as SQL. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { DatabaseName } from '../support/databases.ts'
import type { Expected } from './expected.ts'

const fixturesFolder = join(import.meta.dirname, 'fixtures')

export interface Fixture {
  /** By path in the data folder; a character for each byte. */
  files: Record<string, string>
  /** Statements, by the name of the database: `shared`, and `own` for that of a tenant. */
  databases: Record<string, string>
}

/** Commits of this repository. */
export function versionNames(): string[] {
  return readdirSync(fixturesFolder).toSorted()
}

export function readFixture(version: string, database: DatabaseName): Fixture {
  const bytes = readFileSync(join(fixturesFolder, version, `${database}.br`))
  return JSON.parse(brotliDecompressSync(bytes).toString())
}

/** A backup in the folder `backup`, and the archive `archive.db` of a tenant. */
export function readCopies(version: string): Fixture['files'] {
  return JSON.parse(brotliDecompressSync(readFileSync(join(fixturesFolder, version, 'copies.br'))).toString())
}

export function writeCopies(version: string, files: Fixture['files']): void {
  writeFileSync(join(fixturesFolder, version, 'copies.br'), brotliCompressSync(JSON.stringify(files)))
}

export function readExpected(version: string, database: DatabaseName): Expected {
  return JSON.parse(readFileSync(join(fixturesFolder, version, `${database}.expected.json`), 'utf8'))
}

export function writeFixture(
  version: string,
  database: DatabaseName,
  { fixture, expected }: { fixture: Fixture; expected: Expected },
): void {
  const folder = join(fixturesFolder, version)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${database}.br`), brotliCompressSync(JSON.stringify(fixture)))
  writeFileSync(join(folder, `${database}.expected.json`), `${JSON.stringify(expected)}\n`)
}

/** What a version keeps in its data folder, without locks and logs. */
export const dataFiles = /^(tenantry\.db|tenants\/[^/]+\.db|initialized|files\/(?!\.).*)$/

/** @param kept the paths that are packed */
export function packFolder(folder: string, kept: RegExp): Fixture['files'] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = paths.filter((path) => kept.test(path) && statSync(join(folder, path)).isFile())
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'latin1')]))
}

export function unpackFolder(files: Fixture['files'], folder: string): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content, 'latin1')
  }
}
