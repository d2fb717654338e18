/** Today's service on the databases of former versions: everything that worked before works on. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, before, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { codeOf, fromBase32, stepAt } from '../../src/identity/second-factor/totp.ts'
import { LiveReader } from '../api/live/live-reader.ts'
import type { Answer } from '../support/client.ts'
import { type DatabaseName, onEitherDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { EventReader } from '../support/graphql/event-reader.ts'
import { fromAnyAddress } from '../support/http/forwarded.ts'
import { SoftwareAuthenticator } from '../support/software-authenticator.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'
import { type Person, receiverPort } from './expected.ts'
import { versionNames } from './fixture.ts'
import { assertSameReply } from './same-reply.ts'
import { serve, type Unpacked, type Upgraded, unpack } from './upgraded.ts'

// `schema.test.ts` upgrades each on both.
for (const [turn, version] of versionNames().entries()) {
  const suite = (database: DatabaseName): void => {
    let unpacked: Unpacked
    let upgraded: Upgraded
    before(async () => {
      unpacked = await unpack(version, database)
      upgraded = await serve(unpacked)
    })
    after(async () => {
      await upgraded.service.stop()
      await unpacked.drop()
    })

    const send = (path: string, tenantId: string, body: object): Promise<Answer> =>
      upgraded.anonymous.post(path, body, { ...fromAnyAddress(), 'x-tenant-id': tenantId })
    const ok = async (answer: Promise<Answer>, status = 200): Promise<Answer> => {
      const given = await answer
      assert.equal(given.status, status, given.text)
      return given
    }
    const login = ({ tenantId, userName, password }: Person) =>
      send('/api/auth/login', tenantId, { userName, password })
    const challenge = async (person: Person): Promise<string> =>
      (await ok(login(person), 401)).headers.get('x-mfa-token') ?? ''

    it('answers every reading as before, and knows its tags', async () => {
      const { reads } = unpacked.expected
      assert.ok(reads.length > 50)
      for (const { tenantId, userName, path, etag, body } of reads) {
        const client = await upgraded.signIn({ tenantId, userName })
        const now = await ok(client.get(path))
        assertSameReply(path, now.body, body)
        if (etag === null) continue
        // The tag of a list is a hash of its text, and another version may take another hash.
        const tag = Array.isArray(body) ? (now.headers.get('etag') ?? '') : etag
        // That of the settings is of their text as well; that of a row is of its version.
        if (path !== '/api/tenant/settings') assert.equal(now.headers.get('etag'), tag, path)
        if (isDeepStrictEqual(now.body, body)) await ok(client.get(path, { 'if-none-match': tag }), 304)
      }
    })

    it('signs users in by password, and refuses other passwords', async () => {
      for (const person of unpacked.expected.people) {
        const hasFactor = person.recoveryCodes !== undefined
        await ok(login(person), hasFactor ? 401 : 200)
        if (hasFactor) assert.notEqual(await challenge(person), '')
        const wrong = await ok(login({ ...person, password: `${person.password}!` }), 401)
        assert.equal(wrong.headers.get('x-mfa-token'), null)
      }
    })

    it('accepts access tokens and refresh tokens', async () => {
      for (const { tenantId, userName, accessToken, refreshToken } of unpacked.expected.people) {
        const { body } = await ok(upgraded.anonymous.withToken(accessToken).get('/api/auth/me'))
        assert.equal(body.userName, userName)
        const { body: next } = await ok(send('/api/auth/refresh', tenantId, { refreshToken }))
        await ok(upgraded.anonymous.withToken(next.accessToken).get('/api/auth/me'))
      }
    })

    it('accepts the codes of authenticator apps, recovery codes and passkeys', async () => {
      const verify = async (person: Person, code: string, method: string) =>
        ok(send('/api/auth/mfa/verify', person.tenantId, { token: await challenge(person), code, method }))
      for (const person of unpacked.expected.people) {
        const { tenantId, totpSecret, recoveryCodes = [], passkey } = person
        if (totpSecret !== undefined) {
          const code = codeOf(fromBase32(totpSecret), stepAt(upgraded.clock.now()) + 1)
          await verify(person, code, 'totp')
        }
        for (const code of recoveryCodes.slice(0, 2)) await verify(person, code, 'recovery')
        if (passkey === undefined) continue
        const device = new SoftwareAuthenticator(unpacked.expected.baseUrl)
        device.import(passkey)
        const { body: options } = await ok(send('/api/auth/passkeys/request-options', tenantId, {}))
        await ok(send('/api/auth/passkeys/sign-in', tenantId, { response: device.get(options) }))
      }
    })

    it('accepts API keys', async () => {
      for (const { tenantId, key, path } of unpacked.expected.apiKeys) {
        const client = upgraded.anonymous.with({ 'x-tenant-id': tenantId }).withToken(key)
        await ok(client.get(path))
        await ok(client.post('/api/categories', { name: 'Beyond' }), 403)
      }
    })

    it('repeats the answers of commands that were done, byte for byte', async () => {
      const { replays } = unpacked.expected
      assert.ok(replays.some(({ status }) => status >= 400))
      for (const { tenantId, userName, path, key, request, status, answer } of replays) {
        const client = await upgraded.signIn({ tenantId, userName })
        const replayed = await ok(client.post(path, request, { 'idempotency-key': key }), status)
        assert.equal(replayed.text, answer)
        const other = { name: 'Other', price: 1 }
        if (status < 400) await ok(client.post(path, other, { 'idempotency-key': key }), 422)
      }
    })

    it('gives the next order, and the next row of an entity, the next number', async () => {
      for (const { tenantId, userName, path, lastNumber, body } of unpacked.expected.numbered) {
        const client = await upgraded.signIn({ tenantId, userName })
        assert.equal((await ok(client.post(path, body), 201)).body.number, lastNumber + 1)
      }
    })

    it('knows the names of categories without case', async () => {
      for (const who of unpacked.expected.numbered) {
        const client = await upgraded.signIn(who)
        for (const name of ['STRASSE', 'TÄGLICH 🥐']) await ok(client.post('/api/categories', { name }), 400)
      }
    })

    it('returns files', async () => {
      for (const { tenantId, userName, id, content } of unpacked.expected.files) {
        const client = await upgraded.signIn({ tenantId, userName })
        assert.equal((await ok(client.get(`/api/files/${id}`))).text, content)
      }
    })

    it('does not serve a deactivated tenant until it is activated', async () => {
      const { inactiveTenantId: tenantId } = unpacked.expected
      const who = { userName: 'boss', password: `Of-boss@${tenantId}-1` }
      await ok(send('/api/auth/login', tenantId, who), 401)
      const host = await upgraded.signIn({ tenantId: 'default', userName: 'admin' })
      await ok(host.put(`/api/tenants/${tenantId}`, { isActive: true }))
      const { body } = await ok(send('/api/auth/login', tenantId, who))
      const boss = upgraded.anonymous.withToken(body.accessToken)
      assert.equal((await ok(boss.get('/api/categories'))).body[0].name, 'Theirs')
    })

    it('follows rows that were there before, in lists and subscriptions', async () => {
      const [who] = unpacked.expected.numbered
      assert.ok(who)
      const client = await upgraded.signIn(who)
      const { body: products, headers } = await ok(client.get('/api/products?name=Dear'))
      const [{ id }] = products
      const lists = { dear: { entity: 'product', filter: { 'price[gt]': 1000 }, fields: 'id,name' } }
      await using live = await LiveReader.open(client, lists, headers.get('live-cursor'))
      const query =
        'subscription { onProductDeleted(where: { price: { gt: 1000 }, name: { eq: "Dearer" } }) { id } }'
      await using deleted = await EventReader.open(client, { query })
      await ok(client.patch(`/api/products/${id}`, { name: 'Dearer' }))
      assert.deepEqual((await live.change()).row, { id, name: 'Dearer' })
      await ok(client.delete(`/api/products/${id}`), 204)
      assert.equal((await live.change()).kind, 'delete')
      assert.deepEqual((await deleted.next()).data, { data: { onProductDeleted: { id } } })
    })

    it('sends the deliveries that wait, with the same bytes and secrets', async () => {
      await using receiver = await receiverOfAll()
      const { subscriptions } = unpacked.expected
      const sentBytes = (bytes: string) => receiver.requests.find(({ body }) => body === bytes)
      upgraded.clock.advance({ minutes: 61 })
      await eventually('the deliveries', soonMs, async () => {
        await upgraded.service.queueWorkers.drain()
        return subscriptions.every(({ bytes }) => sentBytes(bytes) !== undefined)
      })
      for (const { bytes, secret, headers } of subscriptions) {
        const sent = sentBytes(bytes)
        assert.ok(sent)
        const signed = `${sent.headers['x-webhook-timestamp']}.${bytes}`
        const signature = createHmac('sha256', secret).update(signed).digest('hex')
        assert.equal(sent.headers['x-webhook-signature'], `v1=${signature}`)
        for (const [name, value] of Object.entries(headers)) assert.equal(sent.headers[name], value)
      }
    })
  }
  onEitherDatabase(`Version ${version}`, suite, turn)
}

/** Waits while another run has the port. */
async function receiverOfAll(): Promise<Receiver & AsyncDisposable> {
  const receivers: Receiver[] = []
  const accept = (response: ServerResponse) => void response.end()
  await eventually('the port', soonMs, async () => {
    const opened = startReceiver(accept, '127.0.0.1', { port: receiverPort })
    receivers.push(...(await opened.then((each) => [each]).catch(emptyWhenTaken)))
    return receivers.length > 0
  })
  const [receiver] = receivers
  assert.ok(receiver)
  return { ...receiver, [Symbol.asyncDispose]: () => receiver.close() }
}

function emptyWhenTaken(error: NodeJS.ErrnoException): [] {
  if (error.code === 'EADDRINUSE') return []
  throw error
}
