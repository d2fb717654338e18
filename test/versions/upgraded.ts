/** The data of a former version, and today's service on it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadApplication } from '../../src/cli/define-config.ts'
import { SecretBox } from '../../src/core/encryption/secret-box.ts'
import { loadConfig } from '../../src/core/settings/config.ts'
import { createService, type Service } from '../../src/service/service.ts'
import type { ServiceOptions } from '../../src/service/service-options.ts'
import { encryptConnectionString } from '../../src/tenancy/connection-string.ts'
import { Client } from '../support/client.ts'
import { TestClock } from '../support/clock.ts'
import { queryServer } from '../support/database/query-server.ts'
import { createPostgresDatabase, type DatabaseName } from '../support/databases.ts'
import { fromAnyAddress } from '../support/http/forwarded.ts'
import { project } from '../support/process/workplace.ts'
import { usualOptions } from '../support/service.ts'
import type { Expected, Person } from './expected.ts'
import { readExpected, readFixture, unpackFolder } from './fixture.ts'

export interface Unpacked {
  dataDir: string
  /** Where commands run: that of the application that was served. */
  folder: string
  application: ServiceOptions
  settings: Record<string, string>
  /** Of the databases, as in DATABASE_URL. */
  shared: string
  own: string
  expected: Expected
  drop(): Promise<void>
}

export interface Upgraded {
  service: Service
  clock: TestClock
  anonymous: Client
  /** A session of a user without a second factor. */
  signIn(who: Pick<Person, 'tenantId' | 'userName'>): Promise<Client>
}

/** @param restored makes a database on PostgreSQL of the statements that fill it */
export async function unpack(version: string, database: DatabaseName, restored = restore): Promise<Unpacked> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tenantry-version-'))
  const expected = readExpected(version, database)
  const { files, databases } = readFixture(version, database)
  unpackFolder(files, dataDir)
  const [shared, own] =
    database === 'sqlite'
      ? [fileAt(dataDir, 'tenantry.db'), fileAt(dataDir, 'tenants/own.db')]
      : [await restored(databases['shared']), await restored(databases['own'])]
  const { masterKey, baseUrl } = expected
  if (database === 'postgres') await setConnection(shared.url, own.url, expected)
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: shared.url,
    MASTER_KEY: masterKey,
    BASE_URL: baseUrl,
    PORT: '0',
    HOST: '127.0.0.1',
    TRUST_PROXY: 'true',
  }
  const drop = async (): Promise<void> => {
    for (const each of [shared, own]) await each.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const { application: name } = expected
  const folder = name === null ? dataDir : join(project, name)
  const application = name === null ? {} : await loadApplication(join(folder, 'tenantry.config.ts'))
  return { dataDir, folder, application, settings, shared: shared.url, own: own.url, expected, drop }
}

function fileAt(dataDir: string, path: string): { url: string; drop(): Promise<void> } {
  return { url: `sqlite:${join(dataDir, path)}`, drop: async () => undefined }
}

async function restore(statements = ''): Promise<{ url: string; drop(): Promise<void> }> {
  const made = await createPostgresDatabase()
  await queryServer(made.url, statements)
  return made
}

/** The server of the former version was at another address. */
async function setConnection(
  shared: string,
  own: string,
  { masterKey, ownTenantId }: Expected,
): Promise<void> {
  const encrypted = encryptConnectionString(new SecretBox(Buffer.from(masterKey, 'base64')), own)
  const bytes = Buffer.from(encrypted).toString('hex')
  await queryServer(shared, `UPDATE tenant SET connection_string = '\\x${bytes}' WHERE id = '${ownTenantId}'`)
}

/** Starts today's service at the moment when the former version stopped. */
export async function serve({ dataDir, application, settings, expected }: Unpacked): Promise<Upgraded> {
  const clock = new TestClock()
  clock.advance({ seconds: (Date.parse(expected.moment) - Date.now()) / 1000 })
  const service = await createService(loadConfig(settings, dataDir), {
    ...usualOptions,
    ...application,
    clock: clock.now,
  })
  const anonymous = new Client(await service.start())
  const callers = new Map<string, Promise<Client>>()
  const signIn: Upgraded['signIn'] = ({ tenantId, userName }) => {
    const known = callers.get(`${tenantId} ${userName}`) ?? newSession({ tenantId, userName })
    callers.set(`${tenantId} ${userName}`, known)
    return known
  }
  const newSession: Upgraded['signIn'] = async ({ tenantId, userName }) => {
    const { password } = personIn(expected, { tenantId, userName })
    const headers = { ...fromAnyAddress(), 'x-tenant-id': tenantId }
    const { status, body, text } = await anonymous.post('/api/auth/login', { userName, password }, headers)
    assert.equal(status, 200, text)
    return anonymous.withToken(body.accessToken).with({ 'x-tenant-id': tenantId })
  }
  return { service, clock, anonymous, signIn }
}

export function personIn({ people }: Expected, who: Pick<Person, 'tenantId' | 'userName'>): Person {
  const person = people.find((each) => each.tenantId === who.tenantId && each.userName === who.userName)
  assert.ok(person, `${who.userName} of ${who.tenantId}`)
  return person
}
