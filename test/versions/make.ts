/**
 * Makes the fixture of a version: starts a checkout of it on each database, and fills it.
 * Called as `npm run version-fixture -- <checkout> <name> [<folder of an application in it>]`; the checkout has its
 * packages installed.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { createPostgresDatabase, type DatabaseName } from '../support/databases.ts'
import { newMasterKey } from '../support/master-key.ts'
import { fill } from './fill/fill.ts'
import { dataFiles, type Fixture, packFolder, writeCopies, writeFixture } from './fixture.ts'
import { postgresText } from './postgres-text.ts'

const baseUrl = 'http://localhost:3000'

const [checkout, name, application = null] = process.argv.slice(2)
if (checkout === undefined || name === undefined)
  throw new Error('Usage: make.ts <checkout> <name> [<application>]')
const main = resolve(checkout, 'src/main.ts')
const workingFolder = resolve(checkout, application ?? '')
for (const database of ['sqlite', 'postgres'] as const) await make(workingFolder, name, database)

async function make(folder: string, version: string, database: DatabaseName): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tenantry-version-'))
  const masterKey = newMasterKey()
  const [shared, own] =
    database === 'sqlite' ? [null, null] : [await createPostgresDatabase(), await createPostgresDatabase()]
  const settings = {
    DATA_DIR: dataDir,
    MASTER_KEY: masterKey,
    BASE_URL: baseUrl,
    ...(shared !== null && { DATABASE_URL: shared.url }),
  }
  const service = await start(folder, settings)
  const filling = {
    url: service.url,
    application,
    baseUrl,
    masterKey,
    ownDatabase: own?.url ?? 'sqlite:own.db',
  }
  const expected = await fill(filling)
  await service.stop()
  const databases: Fixture['databases'] =
    shared === null || own === null
      ? {}
      : { shared: await postgresText(shared.url), own: await postgresText(own.url) }
  writeFixture(version, database, { fixture: { files: packFolder(dataDir, dataFiles), databases }, expected })
  if (database === 'sqlite') {
    const run = (...words: string[]) =>
      execFileSync(process.execPath, [main, ...words], { cwd: folder, env: settings })
    run('backup', '--to', join(dataDir, 'backup'))
    run('tenant', 'export', 'acme', '--to', join(dataDir, 'archive.db'))
    writeCopies(version, packFolder(dataDir, /^(backup\/|archive\.db$)/))
  }
  for (const each of [shared, own]) await each?.drop()
  rmSync(dataDir, { recursive: true })
}

async function start(
  folder: string,
  settings: Record<string, string>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, [main, 'serve'], {
    cwd: folder,
    env: { PORT: '0', HOST: '127.0.0.1', NODE_ENV: 'development', TRUST_PROXY: 'true', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\/\/[\d.:]+/.exec(line) ?? []
    if (url === undefined) continue
    child.stdout.resume()
    const stop = async (): Promise<void> => {
      child.kill()
      await once(child, 'exit')
    }
    return { url, stop }
  }
  throw new Error(`${folder} did not start.`)
}
