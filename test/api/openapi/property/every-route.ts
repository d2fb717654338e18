/**
 * Requests to every documented route, valid, nearly valid and hostile: no 5xx, and no answer that the document does
 * not allow. They go in by `inject`, without sockets.
 */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import type { LightMyRequestResponse as Response } from 'fastify'
import { MailRefused } from '../../../../src/mail/transport/transport.ts'
import { newWork, workFeature } from '../../../jobs/work-feature.ts'
import { greetingFeature } from '../../../mail/mail-feature.ts'
import { type DatabaseName, onEitherDatabase } from '../../../support/databases.ts'
import { type OpenApi, readOpenApi } from '../../../support/http/openapi-document.ts'
import { runSeed } from '../../../support/run/extent.ts'
import { startService, type TestService } from '../../../support/service.ts'
import { needsOthers } from '../needs-others.ts'
import { goodRequests } from './good-requests.ts'
import { type GeneratedRequest, requestsFor } from './requests.ts'
import { callers, operationsEnd, populate, remember, resolve, restore, type Scene } from './scene.ts'
import { Verdicts } from './verdict.ts'

/** Of 1000 requests of all kinds, while a status has not come. */
const furtherRounds = 9
/** At a time; more than the connections of PostgreSQL, so that requests wait for each other. */
const atOnce = 16
const faultsShown = 5

/**
 * Cannot succeed here: the service is initialized already, nobody signs what is sent, there is no identity
 * provider, no request names both a session and its user, or a tenant and its id again, nobody who may moves a tenant,
 * no mail was asked for or is kept, and nobody knows a code of an app or has a passkey.
 */
const neverSucceeds = new Set([
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
  'GET /api/mails/{id}/content',
  'GET /api/tenant/sso',
  'DELETE /api/tenant/sso',
  'GET /api/webhooks/portal-sessions/current',
])

const byHost = { caller: 'host', isOffRoute: false }
const oneKey = { 'idempotency-key': 'twice', 'content-type': 'application/json' }
const category = { ...byHost, operation: 'POST /api/categories', method: 'POST', url: '/api/categories' }

/** Thousands of random requests would have to be made for these statuses, one after another. */
const seldom: readonly [status: number, request: GeneratedRequest][] = [
  [
    304,
    {
      ...byHost,
      operation: 'GET /api/products',
      method: 'GET',
      body: null,
      url: '/api/products?limit=1',
      headers: { 'if-none-match': '*' },
    },
  ],
  [201, { ...category, headers: oneKey, body: '{"name":"Once"}' }],
  [422, { ...category, headers: oneKey, body: '{"name":"Again"}' }],
]

/** Declares the tests. @param count of requests of all kinds, on each database */
export function askEveryRoute(count: number): void {
  onEitherDatabase(`Every documented route (seed ${runSeed})`, (database) => routeSuite(database, count))
}

function routeSuite(database: DatabaseName, count: number): void {
  let service: TestService
  let scene: Scene
  let document: OpenApi
  let verdicts: Verdicts
  const statuses = new Set<number>()
  before(async () => {
    const work = newWork(() => Promise.reject(new Error('It never works.')))
    const features = [workFeature(work, { retrySeconds: [] }), greetingFeature]
    const mailTransport = { send: () => Promise.reject(new MailRefused('It is never sent.')) }
    service = await startService(database, {}, { features, mailTransport })
    scene = await populate(service)
    document = await readOpenApi(service.anonymous)
    delete document.paths['/api/live'] // its reply has no end, which a request without a socket waits for
    verdicts = new Verdicts(document)
  })
  after(() => service.stop())

  /** @returns the status, and what is wrong with the answer */
  const judge = async (generated: GeneratedRequest, place: number) => {
    const request = resolve(generated, scene)
    const answer = await injectRequest(scene, request, place)
    remember(request, answer, scene)
    statuses.add(answer.statusCode)
    const wrong = verdicts.faultsOf(request, answer)
    return { status: answer.statusCode, wrong, told: describeFault(place, request, answer, wrong) }
  }

  it('answers a request of good will as the document says, with success', async () => {
    for (const [place, request] of goodRequests(document, scene.ofHost).entries()) {
      if (neverSucceeds.has(request.operation)) continue
      const { status, wrong, told } = await judge(request, 3 * place + 1)
      assert.ok(status < 300 && wrong.length === 0, told)
      if (status === 202) await operationsEnd(scene)
    }
  })

  it('answers what seldom comes by chance as the document says', async () => {
    for (const [place, [expected, request]] of seldom.entries()) {
      const { status, wrong, told } = await judge(request, 3 * place + 1)
      assert.ok(status === expected && wrong.length === 0, told)
    }
  })

  it(`answers ${count} requests of all kinds as the document says`, async () => {
    const arbitrary = requestsFor(document, callers)
    const faults: string[] = []
    const askAll = (numRuns: number, seed: number) =>
      inParallel(fc.sample(arbitrary, { numRuns, seed }), async (request, place) => {
        if (faults.length >= faultsShown) return
        const { wrong, told } = await judge(request, place)
        if (wrong.length > 0) faults.push(told)
      })
    await askAll(count, runSeed)
    for (let round = 1; round <= furtherRounds && missingFrom(statuses).length > 0; round++)
      await askAll(1000, runSeed + round)
    assert.equal(faults.length, 0, `seed ${runSeed}\n${faults.join('\n\n')}`)
    // A run that is turned away at every door shows nothing.
    assert.deepEqual(missingFrom(statuses), [], 'statuses that never came')
  })

  it('left the service in good health', async () => {
    assert.equal((await service.anonymous.get('/health')).status, 200)
    await restore(scene)
    assert.equal((await service.signIn('admin')).accessToken !== '', true)
  })
}

function missingFrom(statuses: ReadonlySet<number>): number[] {
  return [200, 201, 204, 304, 400, 401, 403, 404, 412, 415, 422, 429].filter((each) => !statuses.has(each))
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

function describeFault(place: number, request: GeneratedRequest, answer: Response, wrong: string[]): string {
  const { operation, caller, url, headers, body } = request
  const sent = JSON.stringify({ caller, url, headers, body: body?.slice(0, 500) })
  return `${place}: ${operation}: ${wrong.join('; ')}\n  ${sent}\n  ${answer.statusCode} ${answer.payload.slice(0, 500)}`
}
