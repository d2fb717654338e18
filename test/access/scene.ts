/** A tenant with six callers, and for each caller a second tenant that holds only what the oracle says it reaches. */
import assert from 'node:assert/strict'
import type { Table } from '../../src/database/table.ts'
import type { Feature } from '../../src/index.ts'
import type { Answer, Client } from '../support/client.ts'
import { type Ask, inspectEach } from '../support/database/inspect.ts'
import type { DatabaseName } from '../support/databases.ts'
import {
  atAnyCost,
  person,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../support/service.ts'
import { application, applicationFeatures, ruledNames } from './application.ts'
import { type OracleCaller, type Row, visibleRows, type World } from './oracle.ts'

export interface Caller extends OracleCaller {
  name: string
  client: Client
  /** The caller of the second tenant, who reaches all of its rows; `null` for a caller who reaches all rows anyway. */
  twin: { client: Client; tenantId: string } | null
}

export interface Scene {
  service: TestService
  tenant: TestTenant
  callers: Caller[]
  admin: Caller
  /** The ids of the users whose rows there are: those of the callers, and one of somebody else. */
  userIds: string[]
}

const names = application.map(({ name }) => name)
/** Whose lists everybody reads. */
const open = ['team', 'notice']
const reading = names.filter((name) => !open.includes(name)).map((name) => `${name}:read`)
const writing = names.filter((name) => name !== 'team').map((name) => `${name}:write`)

/** Of the callers who have a token; what every user of the tenant may do beside it does not matter here. */
const permissionsOf: Readonly<Record<string, readonly string[]>> = {
  customer: [...reading, ...writing, 'parcel:send'],
  member: [...reading, ...writing, 'ticket:internal', 'ticket:remove', 'report:edit'],
  partial: [
    ...reading.filter((name) => name !== 'parcel:read'),
    ...[
      'client:secret',
      'report:see',
      'notice:see',
      'notice:inside',
      'report:write',
      'ticket:write',
      'ticket:sweep',
    ],
    ...['webhook:read', 'webhook:write', 'audit:read'],
  ],
  key: [...reading, ...writing, 'report:see', 'ticket:remove', 'ticket:sweep', 'audit:read'],
}

/** Every way of the product but those of the rows passes by. @param features beside the application */
export async function startScene(database: DatabaseName, features: Feature[] = []): Promise<Scene> {
  const service = await startService(
    database,
    {},
    { ...atAnyCost, features: [...applicationFeatures, ...features] },
  )
  const tenant = await service.newTenant()
  const known = await permissionNames(tenant.admin)
  const anonymous = await anonymousOf(service, tenant)
  const others = await Promise.all(
    Object.entries(permissionsOf).map(([name, permissions]) => callerOf(service, tenant, name, permissions)),
  )
  const { body: me } = await tenant.admin.get('/api/auth/me')
  const admin = {
    name: 'admin',
    client: tenant.admin,
    twin: null,
    userId: me.id,
    isAnonymous: false,
    permissions: known,
  }
  const { body: stranger } = await tenant.admin.post('/api/users', person('stranger'))
  const callers = [anonymous, ...others, admin]
  const userIds = [...callers.flatMap(({ userId }) => userId ?? []), stranger.id]
  return { service, tenant, callers, admin, userIds }
}

async function permissionNames(admin: Client): Promise<Set<string>> {
  const { body } = await admin.get('/api/permissions')
  return new Set(body.map(({ name }: { name: string }) => name))
}

async function anonymousOf(service: TestService, { id }: TestTenant): Promise<Caller> {
  const twin = await service.newTenant()
  const at = (tenantId: string) => service.anonymous.with({ 'x-tenant-id': tenantId })
  return {
    name: 'anonymous',
    userId: null,
    isAnonymous: true,
    permissions: new Set<string>(),
    client: at(id),
    twin: { client: at(twin.id), tenantId: twin.id },
  }
}

async function callerOf(
  service: TestService,
  tenant: TestTenant,
  name: string,
  permissions: readonly string[],
): Promise<Caller> {
  const twin = await service.newTenant()
  const everything = [...permissions, ...ruledNames.map((each) => `${each}:all`)]
  const [own, others] = await Promise.all([
    signedIn(service, tenant, name, permissions),
    signedIn(service, twin, name, everything),
  ])
  return {
    name,
    client: own.client,
    userId: own.userId,
    isAnonymous: false,
    permissions: new Set(permissions),
    twin: { client: others.client, tenantId: twin.id },
  }
}

async function signedIn(
  service: TestService,
  { admin, id }: TestTenant,
  name: string,
  permissions: readonly string[],
): Promise<{ client: Client; userId: string | null }> {
  if (name === 'key') {
    const { body, status, text } = await admin.post('/api/api-keys', { name, permissions })
    assert.equal(status, 201, text)
    return { client: service.anonymous.withToken(body.key), userId: null }
  }
  const role = uniqueName('Role')
  const granted = await admin.post('/api/roles', { name: role, permissions })
  assert.equal(granted.status, 201, granted.text)
  const { body } = await admin.post('/api/users', person(name, { roles: [role] }))
  return { client: (await service.signIn(name, id)).client, userId: body.id }
}

/** Reads all rows as an administrator does. */
export async function readWorld({ tenant }: Scene): Promise<World> {
  const lists = await Promise.all(application.map(({ routes }) => tenant.admin.get(pathOf(routes))))
  return Object.fromEntries(
    application.map(({ name }, index) => {
      const { status, body, text } = lists[index] as Answer // one for each
      assert.equal(status, 200, text)
      return [name, body as Row[]]
    }),
  )
}

export function pathOf(routes: readonly { path: string }[]): string {
  return routes[0]?.path ?? ''
}

/** Statements past the service, with dangling references where a tenant holds a part of the rows. */
export function beside<T>({ service }: Scene, work: (ask: Ask) => Promise<T>): Promise<T> {
  const url = service.config.databaseUrl
  return inspectEach(url, async (ask) => {
    await ask(
      url.startsWith('sqlite:') ? 'PRAGMA foreign_keys = OFF' : "SET session_replication_role = 'replica'",
    )
    return work(ask)
  })
}

const tables = application.flatMap((each) =>
  each.tables.map((table, index) => ({
    entity: each.name,
    table,
    key: index === 0 ? 'id' : parentColumnOf(table),
  })),
)

function parentColumnOf({ columns }: Table): string {
  return columns[0]?.name ?? ''
}

export async function emptyAll(ask: Ask, tenantIds: readonly string[]): Promise<void> {
  const listed = tenantIds.map((id) => `'${id}'`).join()
  for (const { table } of tables) await ask(`DELETE FROM ${table.name} WHERE tenant_id IN (${listed})`)
}

/** Gives the twin of each caller the rows that the caller reaches, with their ids, times and versions. */
export async function copyReach(ask: Ask, { tenant, callers }: Scene, world: World): Promise<void> {
  await ask('BEGIN')
  for (const caller of callers) {
    if (caller.twin === null) continue
    for (const { entity, table, key } of tables) {
      const ids = visibleRows(caller, entity, world).map(({ id }) => `'${id}'`)
      if (ids.length === 0) continue
      const columns = table.columns.map(({ name }) => `"${name}"`).join()
      await ask(`INSERT INTO ${table.name} (tenant_id, ${columns})
        SELECT '${caller.twin.tenantId}', ${columns} FROM ${table.name}
        WHERE tenant_id = '${tenant.id}' AND ${key} IN (${ids.join()})`)
    }
  }
  await ask('COMMIT')
}

/** One text that differs after any change of the tenant's rows, events or audit. */
export async function fingerprint(ask: Ask, { tenant }: Scene): Promise<string> {
  const own = `tenant_id = '${tenant.id}'`
  const sums = tables.map(({ table, key }) =>
    key === 'id'
      ? `(SELECT count(*) FROM ${table.name} WHERE ${own}), (SELECT coalesce(sum(version), 0) FROM ${table.name} WHERE ${own})`
      : `(SELECT count(*) FROM ${table.name} WHERE ${own})`,
  )
  const others = ['event', 'audit', 'tenant_audit'].map(
    (table) => `(SELECT count(*) FROM ${table} WHERE ${own})`,
  )
  const parts = [...sums, ...others].flatMap((part) => part.split(/, (?=\()/))
  const [row] = await ask(`SELECT ${parts.map((part, index) => `${part} AS c${index}`).join()}`)
  return Object.values(row ?? {}).join()
}
