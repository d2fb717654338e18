/** The releases: what each promised, and the migrations that it had. `npm run release` writes the next. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from '../../src/database/migrate/digest.ts'
import { isOlder } from '../../src/database/migrate/plan.ts'
import { version } from '../../src/database/version.ts'
import { root } from '../documents/markdown.ts'
import { sharedService, type TestService } from '../support/service.ts'
import { contractOf } from './contract.ts'
import { contractText } from './contract-line.ts'

const folder = join(root, 'releases')

export interface Release {
  version: string
  /** As `contractText`. */
  contract: string
  /** Digests by name. */
  migrations: Record<string, string>
}

/** Something that a release has taken away, as an earlier one had announced. */
export interface Deprecation {
  /** Of the contract of the release that announced it. */
  line: string
  /** The version that announced it. */
  announced: string
}

/** The oldest first. */
export function releases(): Release[] {
  const versions = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return versions
    .map(({ name }) => name)
    .toSorted((one, other) => (isOlder(one, other) ? -1 : 1))
    .map((name) => ({
      version: name,
      contract: readFileSync(join(folder, name, 'contract.txt'), 'utf8'),
      migrations: readJson(join(folder, name, 'migrations.json')),
    }))
}

export function deprecations(): Deprecation[] {
  return readJson(join(folder, 'deprecations.json'))
}

/** @returns the digests of the migrations of Tenantry by their names */
export function presentMigrations({ service }: TestService): Record<string, string> {
  const migrations = service.features.flatMap(({ migrations: own = [] }) => own)
  return Object.fromEntries(migrations.map((each) => [each.name, digestOf(each)]))
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}

if (import.meta.main) void writeRelease()

async function writeRelease(): Promise<void> {
  const own = join(folder, version)
  if (existsSync(own))
    throw new Error(`${version} is released: a release never changes. Raise the version first.`)
  const service = await sharedService('sqlite')
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, 'contract.txt'), contractText(contractOf(service.service.features)))
  writeFileSync(join(own, 'migrations.json'), `${JSON.stringify(presentMigrations(service), null, 2)}\n`)
  await service.stop()
}
