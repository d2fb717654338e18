/** What a tenant's administrator can read. */
import assert from 'node:assert/strict'
import type { Read } from '../expected.ts'
import type { Caller, Version } from './version.ts'

/** What says nothing of rows, or says it of an installation at this moment. */
const omitted: ReadonlySet<string> = new Set([
  '/api/auth/sso/sign-out',
  '/api/audit/actions',
  '/api/dead-jobs',
  '/api/dead-letters',
  '/api/dead-mails',
  '/api/entities',
  '/api/figures',
  '/api/figures/history',
  '/api/instances',
  '/api/migrations',
  '/api/permissions',
  '/api/tenant-health',
  '/api/tenant-overview',
  '/api/tenant/settings/definitions',
  '/api/tenant/sso/addresses',
  '/api/webhooks/actions',
  '/api/webhooks/event-types',
  '/api/webhooks/portal-sessions/current',
])

export async function readEverything(
  { routes }: Version,
  { client, person }: Pick<Caller, 'client' | 'person'>,
): Promise<Read[]> {
  const { tenantId, userName } = person
  const read = async (path: string): Promise<Read | null> => {
    const { status, headers, body, text } = await client.get(path)
    if (status === 403 && tenantId !== 'default') return null // for administrators of the host
    if (status === 404 && path === '/api/tenant/sso') return null // the host tenant has none
    assert.equal(status, 200, `${path}: ${text}`)
    return { tenantId, userName, path, etag: headers.get('etag'), body }
  }
  const paths = routes
    .filter((route) => /^GET \/api\//.test(route))
    .map((route) => route.slice('GET '.length))
  const reads: (Read | null)[] = []
  for (const path of paths) {
    if (path.includes('{') || omitted.has(path)) continue
    const list = await read(/^\/api\/audit/.test(path) ? `${path}?limit=200` : path)
    reads.push(list)
    const detail = paths.find((each) => each.startsWith(`${path}/{`) && each.endsWith('}'))
    if (detail === undefined || !Array.isArray(list?.body)) continue
    for (const row of list.body) reads.push(await read(`${path}/${row.id ?? row.name ?? row.provider}`))
  }
  return reads.filter((each) => each !== null)
}
