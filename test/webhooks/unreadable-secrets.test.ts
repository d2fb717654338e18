/** Secrets of a subscription and of a provider cannot be decrypted: the rows are read, and given new secrets. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inspect } from '../support/database/inspect.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { setProvider } from '../support/webhooks/provider.ts'
import { scenesOfOwn } from './scenes.ts'

onEitherDatabase('Secrets that cannot be decrypted', (database) => {
  const setScene = scenesOfOwn(database)
  const damaged = database === 'sqlite' ? "x'01'" : "'\\x01'::bytea"

  it('keep nobody from reading the subscriptions, and are replaced', async () => {
    await using scene = await setScene()
    const { user } = scene
    const receiver = await scene.receiver()
    const headers = { Authorization: 'Bearer 4f9c1d2e' }
    const id = await scene.subscribe(receiver, { events: ['thing.*'], headers })
    const other = await scene.subscribe(receiver, { events: ['other.*'] })
    const damage = `UPDATE subscription SET secrets = ${damaged}, headers = ${damaged} WHERE id = '${id}'`
    await inspect(scene.service.config.databaseUrl, damage)
    const path = `/api/webhooks/subscriptions/${id}`
    const { body: list } = await user.get('/api/webhooks/subscriptions')
    assert.deepEqual(
      list.map((each: { id: string }) => each.id),
      [id, other],
    )
    assert.deepEqual([list[0].secret, list[0].headers], ['whsec_****', {}])
    const moved = await user.send('PATCH', path, { url: 'https://elsewhere.example/hooks' })
    assertError(moved, 400, /^headers/)
    assertError(await user.send('PATCH', path, { headers: { Authorization: '****' } }), 400, /^headers/)
    assert.equal((await user.send('PATCH', path, { headers })).status, 200)
    assert.equal((await user.post(`${path}/rotate-secret`, {})).status, 200)
    await scene.publish()
    await scene.look()
    assert.equal(receiver.requests[0]?.headers['authorization'], headers.Authorization)
  })

  it('keep nobody from reading the providers, and are replaced', async () => {
    await using scene = await setScene()
    const { admin } = scene.tenant
    await setProvider(admin, 'acme')
    const damage = `UPDATE webhook_provider SET secrets = ${damaged} WHERE tenant_id = '${scene.tenant.id}'`
    await inspect(scene.service.config.databaseUrl, damage)
    const { body } = await admin.get('/api/webhooks/providers')
    assert.deepEqual([body[0].secret, body[0].formerSecretUntil], ['****', null])
    const path = '/api/webhooks/providers/acme'
    assertError(await admin.put(path, { toleranceSeconds: 60 }), 400, 'secret: is required')
    const { secret } = (await admin.put(path, { secret: 'another-secret' })).body
    assert.equal(secret, '****cret')
  })
})
