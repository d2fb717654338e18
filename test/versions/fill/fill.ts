/** Fills a running service of any version with rows of every kind that the version has. */
import type { Client } from '../../support/client.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startReceiver } from '../../support/webhooks/receiver.ts'
import { type Expected, receiverPort } from '../expected.ts'
import { addPeople, type People } from './people.ts'
import { readEverything } from './reads.ts'
import { addRows, type FilledRows } from './rows.ts'
import { detailsOf, done, openVersion, passwordOf, signIn, type Version } from './version.ts'
import { addWebhooks } from './webhooks.ts'

export interface Filling {
  /** Where the service listens. */
  url: string
  application: string | null
  baseUrl: string
  masterKey: string
  /** The connection string of a tenant. */
  ownDatabase: string
}

const ownTenantId = 'own'
const inactiveTenantId = 'gone'

export async function fill({
  url,
  application,
  baseUrl,
  masterKey,
  ownDatabase,
}: Filling): Promise<Expected> {
  const version = await openVersion(url)
  await done(version.anonymous.post('/api/init/first-admin', detailsOf('admin', 'default')))
  const host = await signIn(version, {
    tenantId: 'default',
    userName: 'admin',
    password: passwordOf('admin', 'default'),
  })
  const addTenant = (id: string, members: object = {}) => newTenant(host.client, id, members)
  const tenants = [
    await fillTenant(version, await addTenant('acme', { subdomain: 'acme', plan: 'gold' }), baseUrl),
    await fillTenant(version, await addTenant(ownTenantId, { connectionString: ownDatabase }), baseUrl),
  ]
  for (const id of ['globex', inactiveTenantId]) {
    const tenantId = await addTenant(id)
    const { client } = await signIn(version, {
      tenantId,
      userName: 'boss',
      password: passwordOf('boss', tenantId),
    })
    await done(client.post('/api/categories', { name: 'Theirs' }))
  }
  await done(host.client.delete(`/api/tenants/${inactiveTenantId}`))
  if (version.has('POST /api/tenants/{id}/export')) await exportTenant(host.client, 'globex')
  const callers = [host, ...tenants.map(({ people }) => people.admin)]
  const reads: Expected['reads'] = []
  for (const caller of callers) reads.push(...(await readEverything(version, caller)))
  return {
    moment: new Date().toISOString(),
    application,
    masterKey,
    baseUrl,
    ownTenantId,
    inactiveTenantId,
    people: [host.person, ...tenants.flatMap(({ people }) => people.all)],
    apiKeys: tenants.flatMap(({ people }) => people.apiKeys),
    numbered: tenants.flatMap(({ rows }) => rows.numbered),
    files: tenants.flatMap(({ rows }) => rows.files),
    replays: tenants.flatMap(({ rows }) => rows.replays),
    subscriptions: tenants.map(({ subscription }) => subscription),
    reads,
  }
}

async function newTenant(host: Client, id: string, members: object): Promise<string> {
  await done(host.post('/api/tenants', { id, name: `The ${id}`, admin: detailsOf('boss', id), ...members }))
  return id
}

/** An operation is a row, and is done by a job. */
async function exportTenant(host: Client, id: string): Promise<void> {
  await done(host.post(`/api/tenants/${id}/export`))
  await eventually('the export', soonMs, async () => {
    const [operation] = await done(host.get('/api/operations'))
    return operation.finishedAt !== null
  })
}

interface FilledTenant {
  people: People
  rows: FilledRows
  subscription: Expected['subscriptions'][number]
}

async function fillTenant(version: Version, tenantId: string, baseUrl: string): Promise<FilledTenant> {
  const people = await addPeople(version, tenantId, baseUrl)
  const rows = await addRows(version, people.admin, people.worker)
  const receiver = await startReceiver(
    (response, { path }) => response.writeHead(path === '/good' ? 200 : 503).end('Away'),
    '127.0.0.1',
    { port: receiverPort },
  )
  try {
    return { people, rows, subscription: await addWebhooks(version, people.admin, receiver) }
  } finally {
    await receiver.close()
  }
}
