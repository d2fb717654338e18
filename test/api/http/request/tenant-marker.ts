/** Tells tenants apart from outside: each has one product with its name. */
import assert from 'node:assert/strict'
import type { Answer } from '../../../support/client.ts'
import { rawRequest, sendRaw } from '../../../support/http/raw-request.ts'
import type { TestService, TestTenant } from '../../../support/service.ts'

export interface Landmark extends TestTenant {
  accessToken: string
}

/** @param members of the tenant, e.g. its subdomain */
export async function newLandmark(
  service: TestService,
  members: Record<string, unknown> = {},
): Promise<Landmark> {
  const tenant = await service.newTenant(members)
  const made = await tenant.user.post('/api/products', { name: tenant.id, price: 1 })
  assert.equal(made.status, 201)
  const { accessToken } = await service.signIn('worker', tenant.id)
  return { ...tenant, accessToken }
}

/** Lists products with exactly these headers, some of which `fetch` does not allow. */
export function listProducts(
  service: TestService,
  headers: Record<string, string>,
  query = '',
): Promise<Answer> {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return sendRaw(service.url, rawRequest(`GET /api/products${query}`, lines))
}

/** The tenant whose products these are; the host tenant has none. */
export function tenantOf(answer: Answer): string {
  assert.equal(answer.status, 200, answer.text)
  return answer.body[0]?.name ?? 'default'
}
