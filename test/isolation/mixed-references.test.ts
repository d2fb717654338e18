/** Rows, filters and sign-ins that name something of another tenant beside something of one's own. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type ProvenTenant, type SignInScene, startScene } from '../identity/single-sign-on/scene.ts'
import type { Answer, Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { comparable } from '../support/error.ts'
import { fromAnyAddress } from '../support/http/forwarded.ts'
import { missingLike, type Names } from '../support/names.ts'
import { newVictim, type Victim } from '../support/victim.ts'
import { nowSeconds, secret, signed } from '../support/webhooks/provider.ts'

onEitherDatabase('A request that names something of another tenant', (database) => {
  let scene: SignInScene
  let victim: Victim
  let own: Victim
  let none: Names
  before(async () => {
    scene = await startScene(database)
    victim = await newVictim(scene.service)
    own = await newVictim(scene.service)
    none = missingLike(own.names)
  })
  after(() => scene.stop())

  /** @param use gets names of the other tenant, and then names that do not exist */
  async function assertAlike(use: (names: Names) => Promise<Answer>): Promise<Answer> {
    const [theirs, unknown] = [await use(victim.names), await use(none)]
    assert.ok(theirs.status < 500, theirs.text)
    assert.deepEqual(nameless(theirs, victim.names), nameless(unknown, none))
    return theirs
  }

  const dryRun = (rule: string, receiptId: string) =>
    own.admin.post(`/api/webhooks/rules/${rule}/dry-run`, { receiptId })

  it('gets for a receipt of theirs with a rule of its own, and the other way round, what it gets for none', async () => {
    const { rule, receipt } = own.names
    assert.equal((await dryRun(rule, receipt)).status, 200)
    assert.equal((await assertAlike((names) => dryRun(rule, names.receipt))).status, 404)
    assert.equal((await assertAlike((names) => dryRun(names.rule, receipt))).status, 404)
    assert.equal((await assertAlike((names) => dryRun(names.rule, names.receipt))).status, 404)
  })

  it('gives a rule the name of a provider of theirs, and receives nothing of theirs by it', async () => {
    const made = await assertAlike(({ provider }) =>
      own.admin.post('/api/webhooks/rules', { provider, eventType: '*', action: 'log' }),
    )
    assert.equal(made.status, 201, made.text)
    const change = ({ provider }: Names) =>
      own.admin.patch(`/api/webhooks/rules/${made.body.id}`, { provider })
    assert.equal((await assertAlike(change)).status, 200)
    await change(victim.names)
    const listed = await assertAlike(({ provider }) =>
      own.admin.get(`/api/webhooks/receipts?provider=${provider}`),
    )
    assert.deepEqual(listed.body, [])
    const { rule, receipt } = victim.names
    const replayed = await victim.admin.post(`/api/webhooks/receipts/${receipt}/replay`, {})
    assert.equal(replayed.status, 200, replayed.text)
    const ran: { ruleId: string }[] = replayed.body.runs
    assert.deepEqual(new Set(ran.map(({ ruleId }) => ruleId)), new Set([rule]))
  })

  it('sends no webhook to a provider of theirs by way of its own tenant, whatever signs it', async () => {
    const { anonymous } = scene.service
    for (const key of [secret, `secret-${victim.canary}`, `secret-${own.canary}`]) {
      const body = JSON.stringify({ id: 'mixed', type: 'mixed' })
      const signature = signed(body, nowSeconds(), key)
      const sendTo = (tenant: Victim, provider: string) =>
        anonymous.post(`/api/webhooks/receive/${provider}?tenant=${tenant.id}`, body, {
          [`${provider}-signature`]: signature,
        })
      const answer = await assertAlike(({ provider }) => sendTo(own, provider))
      assert.ok(answer.status >= 400, answer.text)
      const across = await sendTo(victim, own.names.provider)
      assert.ok(across.status >= 400, across.text)
    }
    const { body } = await victim.admin.get('/api/webhooks/receipts')
    assert.deepEqual(
      body.map(({ id }: { id: string }) => id),
      [victim.names.receipt],
    )
  })

  const filters: [path: string, among: string, name: (names: Names) => string][] = [
    ['/api/products', 'id', ({ product }) => product],
    ['/api/products', 'categoryId', ({ category }) => category],
    ['/api/products', 'name', ({ productName }) => productName],
    ['/api/categories', 'id', ({ category }) => category],
    ['/api/orders', 'id', ({ order }) => order],
    ['/api/orders', 'customerId', ({ customer }) => customer],
  ]
  for (const [path, member, nameOf] of filters) {
    it(`lists by ${member} of ${path} its own rows alone`, async () => {
      const list = (operator: string) => (names: Names) =>
        own.admin.get(`${path}?${new URLSearchParams({ [`${member}[${operator}]`]: both(names) })}`)
      const both = (names: Names) => `${nameOf(own.names)},${nameOf(names)}`
      const among = await assertAlike(list('in'))
      assert.equal(among.status, 200, among.text)
      assert.ok(among.body.length > 0)
      const others = await assertAlike(list('nin'))
      assert.deepEqual(others.body, [])
    })
  }

  const fields: [field: string, member: string, name: (names: Names) => string][] = [
    ['products', 'id', ({ product }) => product],
    ['products', 'categoryId', ({ category }) => category],
    ['categories', 'id', ({ category }) => category],
    ['orders', 'id', ({ order }) => order],
    ['orders', 'customerId', ({ customer }) => customer],
  ]
  for (const [field, member, nameOf] of fields) {
    it(`reads by ${member} of ${field} its own rows alone`, async () => {
      const ask = (operator: string) => (names: Names) => {
        const among = JSON.stringify([nameOf(own.names), nameOf(names)])
        const where = `{ ${member}: { ${operator}: ${among} } }`
        const row = field === 'orders' ? '{ nodes { id } }' : '{ id }'
        return query(own.admin, `{ ${field}(where: ${where}) ${row} }`)
      }
      const found = ({ body }: Answer) => body.data?.[field].nodes ?? body.data?.[field]
      assert.ok(found(await assertAlike(ask('in'))).length > 0)
      assert.deepEqual(found(await assertAlike(ask('nin'))), [])
    })
  }

  it('joins no row of theirs to one of its own', async () => {
    const { product } = own.names
    const join = ({ category }: Names) =>
      own.admin.put(`/api/products/${product}`, {
        name: own.names.productName,
        price: 1,
        categoryId: category,
      })
    assert.equal((await join(own.names)).status, 200)
    const { status, text } = await assertAlike(join)
    assert.equal(status, 400, text)
    const productsIn = ({ category }: Names) =>
      query(own.admin, `{ products(where: { category: { id: { in: ["${category}"] } } }) { id } }`)
    assert.equal((await productsIn(own.names)).body.data.products[0].id, product)
    assert.deepEqual((await assertAlike(productsIn)).body.data.products, [])
  })

  it('does not activate a key for the provider that is of another tenant', async () => {
    const [mine, theirs] = [await scene.newTenant(), await scene.newTenant()]
    const keys = '/api/tenant/sso/client-keys'
    const made = await theirs.admin.post(keys, { algorithm: 'ES256' })
    assert.equal(made.status, 201, made.text)
    const former = (await theirs.admin.get(keys)).text
    const activate = (id: string) => mine.admin.post(`${keys}/${id}/activate`)
    const [foreign, unknown] = [await activate(made.body.id), await activate('x'.repeat(43))]
    assert.equal(foreign.status, 404, foreign.text)
    assert.deepEqual(comparable(foreign), comparable(unknown))
    assert.equal((await theirs.admin.get(keys)).text, former)
    const activated = await theirs.admin.post(`${keys}/${made.body.id}/activate`)
    assert.ok(activated.status < 300, activated.text)
  })

  it('does not sign in with the state of one tenant and the code of another', async () => {
    const [mine, theirs] = [await scene.newTenant(), await scene.newTenant()]
    const cases: [state: ProvenTenant, code: ProvenTenant][] = [
      [mine, theirs],
      [theirs, mine],
    ]
    for (const [stateOf, codeOf] of cases) {
      const subject = `subject-${stateOf.id}`
      const [begun, returned] = [await scene.begin(stateOf), await scene.comeBack(codeOf, subject)]
      const given = { ...Object.fromEntries(returned.searchParams), state: begun }
      const answer = await scene.service.anonymous.get(
        `/api/auth/sso/callback?${new URLSearchParams(given)}`,
        fromAnyAddress(),
      )
      assert.equal(answer.status, 303, answer.text)
      const { searchParams } = new URL(answer.headers.get('location') ?? '')
      assert.deepEqual(
        [searchParams.get('sign_in_error'), searchParams.get('tenant'), searchParams.get('sign_in_code')],
        ['provider_failed', stateOf.id, null],
      )
    }
    for (const { admin } of [mine, theirs])
      assert.deepEqual(
        (await admin.get('/api/users')).body.map(({ userName }: { userName: string }) => userName).toSorted(),
        ['boss', 'worker'],
      )
  })
})

function query(caller: Client, text: string): Promise<Answer> {
  return caller.post('/graphql', { query: text })
}

/** What is made anew differs, and a reply may repeat what was named. */
function nameless(answer: Answer, names: Names): object {
  const { headers, ...rest } = comparable(answer) as { headers: Record<string, string>; text: string }
  const { 'content-length': _length, etag: _etag, location: _location, ...others } = headers
  const named = Object.values(names).filter((name): name is string => typeof name === 'string' && name !== '')
  const text = named.reduce((all, name) => all.replaceAll(name, ''), rest.text)
  const made = /"(id|createdAt|updatedAt)":"[^"]*"/g
  return { ...rest, headers: others, text: text.replaceAll(made, '') }
}
