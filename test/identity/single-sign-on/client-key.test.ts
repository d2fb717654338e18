/** Keys with which the service authenticates at a real provider, which reads them at their address. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { type SignInScene, startScene } from './scene.ts'

const path = '/api/tenant/sso/client-keys'

onEitherDatabase('The keys for a provider', (database) => {
  let scene: SignInScene
  before(async () => {
    scene = await startScene(database)
  })
  after(() => scene.stop())

  it('sign users in, also when the next key takes over, which was published before', async () => {
    const tenant = await scene.newTenant()
    const { admin, id, domain } = tenant
    const jwks = `/api/auth/sso/${id}/jwks.json`
    scene.provider.addClient(id, {
      jwks_uri: `${scene.service.url}${jwks}`,
      token_endpoint_auth_method: 'private_key_jwt',
    })
    const way = { clientId: id, clientSecret: undefined, clientAuthentication: 'private_key_jwt' }
    await scene.configure(tenant, way)
    const [first] = (await admin.get(path)).body
    const made = await admin.post(path, {})
    assert.deepEqual(
      [made.status, made.body.isSigning, made.body.publicKey.alg],
      [201, false, first.publicKey.alg],
    )
    const published = await scene.service.anonymous.get(jwks)
    assert.deepEqual(published.body, { keys: [first.publicKey, made.body.publicKey] })
    const claims = { email: `ada@${domain}` }
    const { discoveries } = scene.provider
    const { user } = await scene.signIn(tenant, 'ada', claims)
    assert.equal((await scene.signIn(tenant, 'ada', claims)).user.id, user.id)
    assert.equal(scene.provider.discoveries, discoveries + 1)

    const activated = await admin.post(`${path}/${made.body.id}/activate`)
    assert.deepEqual([activated.status, activated.body.isSigning], [200, true])
    assert.deepEqual((await admin.get(path)).body, [activated.body])
    assert.equal((await scene.signIn(tenant, 'ada', claims)).user.id, user.id)

    const actions = ['sso.clientKeyActivated', 'sso.clientKeyCreated', 'sso.clientKeyCreated']
    const audit = await admin.get('/api/audit?limit=200')
    const found = audit.body.filter(({ action }: { action: string }) => action.startsWith('sso.clientKey'))
    assert.deepEqual(
      found.map(({ action }: { action: string }) => action),
      actions,
    )
    for (const { text } of [made, published, activated, audit]) assert.doesNotMatch(text, /"d":/)
    await admin.delete('/api/tenant/sso')
    assert.deepEqual((await admin.get(path)).body, [])
  })

  it('replace the one that waits, and are made before there is a provider', async () => {
    const { admin, id } = await scene.service.newTenant()
    const keys: { id: string; isSigning: boolean }[] = []
    for (const algorithm of ['ES256', undefined, 'RS256'])
      keys.push((await admin.post(path, { algorithm })).body)
    const [first, second, third] = keys
    assert.deepEqual((await admin.get(path)).body, [first, third])
    assertError(await admin.post(`${path}/${second?.id}/activate`), 404, /no such key/)
    assert.deepEqual((await admin.post(`${path}/${first?.id}/activate`)).body, first)
    assert.deepEqual((await admin.get(path)).body, [first, third], 'the key that signs is activated again')
    assertError(await admin.post(path, { algorithm: 'HS256' }), 400, /algorithm/)
    const { body } = await scene.service.anonymous.get(`/api/auth/sso/${id}/jwks.json`)
    assert.equal(body.keys.length, 2)
    assert.deepEqual((await scene.service.anonymous.get('/api/auth/sso/nobody/jwks.json')).body, { keys: [] })
  })

  it('are those of administrators who have signed in lately', async () => {
    const { admin } = await scene.service.newTenant()
    const made = await admin.post(path, {})
    scene.clock.advance({ minutes: 11 })
    for (const address of [path, `${path}/${made.body.id}/activate`])
      assertError(await admin.post(address, {}), 403)
    assert.deepEqual((await admin.get(path)).body, [made.body])
  })
})
