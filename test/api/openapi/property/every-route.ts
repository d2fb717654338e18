/**
 * Requests to every documented route, valid, nearly valid and hostile: no 5xx, and no answer that the document does
 * not allow. They go in by `inject`, without sockets. A seed repeats a run:
 * `PROPERTY_SEED=… npm test -- test/api/openapi/property`.
 */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import type { LightMyRequestResponse as Response } from 'fastify'
import { MailRefused } from '../../../../src/mail/transport/transport.ts'
import { newWork, workFeature } from '../../../jobs/work-feature.ts'
import { greetingFeature } from '../../../mail/mail-feature.ts'
import { type DatabaseName, onEitherDatabase } from '../../../support/databases.ts'
import { type OpenApi, operationsOf, readOpenApi } from '../../../support/http/openapi-document.ts'
import { startService, type TestService } from '../../../support/service.ts'
import { needsOthers } from '../needs-others.ts'
import { type GeneratedRequest, plainRequestsOf, requestsFor, requestsOf } from './requests.ts'
import { callers, populate, remember, resolve, restore, type Scene } from './scene.ts'
import { Verdicts } from './verdict.ts'

/** Of 1000 requests of all kinds, while a status has not come. */
const furtherRounds = 9
/** For an operation that none of them has succeeded in, first as they should be and then of all kinds. */
const plainRequests = 60
const furtherRequests = 500
/** Before those of an operation on one row: earlier requests may have deleted all. */
const creations = 20
/** At a time; more than the connections of PostgreSQL, so that requests wait for each other. */
const atOnce = 16
const faultsShown = 5
const seed = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2 ** 31)

/**
 * Cannot succeed here: the service is initialized already, nobody signs what is sent, there is no identity
 * provider, no request names both a session and its user, or a tenant and its id again, nobody who may moves a tenant,
 * no mail was asked for, and nobody knows a code of an app or has a passkey.
 */
const neverSucceeds = [
  ...needsOthers,
  'POST /api/tenants/{id}/erase',
  'POST /api/tenants/{id}/move',
  'POST /api/tenants/{id}/move/abandon',
  'POST /api/init/first-admin',
  'POST /api/webhooks/receive/{provider}',
  'GET /files/{id}',
  'DELETE /api/auth/passkeys/{id}',
  'DELETE /api/auth/mfa/totp',
  'POST /api/auth/mfa/recovery-codes',
  'DELETE /api/users/{id}/mfa',
  'DELETE /api/users/{id}/sessions/{sessionId}',
  'GET /api/tenant/sso',
  'DELETE /api/tenant/sso',
  'GET /api/webhooks/portal-sessions/current',
]

/** Declares the tests. @param requests on each database */
export function askEveryRoute(requests: number): void {
  onEitherDatabase(`Every documented route (seed ${seed})`, (database) => routeSuite(database, requests))
}

function routeSuite(database: DatabaseName, requestsPerDatabase: number): void {
  let service: TestService
  let scene: Scene
  let document: OpenApi
  before(async () => {
    const work = newWork(() => Promise.reject(new Error('It never works.')))
    const features = [workFeature(work, { retrySeconds: [] }), greetingFeature]
    const mailTransport = { send: () => Promise.reject(new MailRefused('It is never sent.')) }
    service = await startService(database, {}, { features, mailTransport })
    scene = await populate(service)
    document = await readOpenApi(service.anonymous)
  })
  after(() => service.stop())

  it(`answers ${requestsPerDatabase} requests of all kinds as the document says`, async () => {
    const arbitrary = requestsFor(document, callers)
    const requests = fc.sample(arbitrary, { numRuns: requestsPerDatabase, seed })
    const verdicts = new Verdicts(document)
    const faults: string[] = []
    const seen = new Map<string, Set<number>>()
    const judge = async (generated: GeneratedRequest, place: number): Promise<void> => {
      if (faults.length >= faultsShown) return
      const request = resolve(generated, scene)
      const answer = await injectRequest(scene, request, place)
      remember(request, answer, scene)
      note(seen, request.operation, answer.statusCode)
      const wrong = verdicts.faultsOf(request, answer)
      if (wrong.length > 0) faults.push(describeFault(place, request, answer, wrong))
    }
    await inParallel(requests, judge)
    for (let round = 1; round <= furtherRounds && missingStatuses(seen).length > 0; round++)
      await inParallel(fc.sample(arbitrary, { numRuns: 1000, seed: seed + round }), judge)
    for (const operation of operationsOf(document).keys()) {
      if (hasSucceeded(operation, seen)) continue
      await restore(scene)
      for (const [place, request] of furtherFor(document, operation).entries()) {
        if (hasSucceeded(operation, seen)) break
        await judge(request, place)
      }
    }
    assert.equal(faults.length, 0, `seed ${seed}\n${faults.join('\n\n')}`)
    assertThorough(document, seen)
  })

  it('left the service in good health', async () => {
    assert.equal((await service.anonymous.get('/health')).status, 200)
    await restore(scene)
    assert.equal((await service.signIn('admin')).accessToken !== '', true)
  })
}

function furtherFor(document: OpenApi, operation: string): GeneratedRequest[] {
  const [, collection = ''] = /^\w+ (\/[^{]+)\/{/.exec(operation) ?? []
  const creation = `POST ${collection}`
  const creates = operationsOf(document).has(creation)
  return [
    ...(creates ? fc.sample(plainRequestsOf(document, creation, callers), { numRuns: creations, seed }) : []),
    ...fc.sample(plainRequestsOf(document, operation, callers), { numRuns: plainRequests, seed }),
    ...fc.sample(requestsOf(document, operation, callers), { numRuns: furtherRequests, seed }),
  ]
}

/** A run that is turned away at every door shows nothing. */
function assertThorough(document: OpenApi, seen: Map<string, Set<number>>): void {
  for (const operation of operationsOf(document).keys()) {
    const statuses = [...(seen.get(operation) ?? [])]
    assert.ok(hasSucceeded(operation, seen), `${operation} never succeeded: ${statuses}`)
  }
  assert.deepEqual(missingStatuses(seen), [], 'statuses that never came')
}

function missingStatuses(seen: Map<string, Set<number>>): number[] {
  const all = new Set([...seen.values()].flatMap((statuses) => [...statuses]))
  return [200, 201, 204, 304, 400, 401, 403, 404, 412, 415, 422, 429].filter((status) => !all.has(status))
}

function hasSucceeded(operation: string, seen: Map<string, Set<number>>): boolean {
  const statuses = [...(seen.get(operation) ?? [])]
  return neverSucceeds.includes(operation) || statuses.some((status) => status < 300)
}

async function inParallel<T>(
  items: readonly T[],
  work: (item: T, place: number) => Promise<void>,
): Promise<void> {
  const entries = items.entries()
  const worker = async () => {
    for (const [place, item] of entries) await work(item, place)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Every third comes from the same address, so that the strict policy has something to count. */
function injectRequest(
  { service, tokens }: Scene,
  request: GeneratedRequest,
  place: number,
): Promise<Response> {
  const token = tokens[request.caller] ?? null
  const headers = { ...request.headers, ...(token !== null && { authorization: `Bearer ${token}` }) }
  const method = request.method as 'GET' // the document has no other methods than Fastify
  const body = request.body === null ? {} : { payload: request.body }
  const remoteAddress = place % 3 === 0 ? '10.0.0.1' : `10.1.${place >> 8}.${place & 255}`
  return service.service.app.inject({ method, url: request.url, headers, remoteAddress, ...body })
}

function note(seen: Map<string, Set<number>>, operation: string, status: number): void {
  const statuses = seen.get(operation) ?? new Set()
  seen.set(operation, statuses.add(status))
}

function describeFault(place: number, request: GeneratedRequest, answer: Response, wrong: string[]): string {
  const { operation, caller, url, headers, body } = request
  const sent = JSON.stringify({ caller, url, headers, body: body?.slice(0, 500) })
  return `${place}: ${operation}: ${wrong.join('; ')}\n  ${sent}\n  ${answer.statusCode} ${answer.payload.slice(0, 500)}`
}
