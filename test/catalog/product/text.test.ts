/** Text is returned as it was sent, also where the database renders the JSON. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../support/any-text.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { runSeed, runsOf } from '../../support/run/extent.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'

const texts = [
  'a "quoted" word',
  "it's",
  'back\\slash \\n \\u0041 \\',
  'tab\tline\nreturn\rfeed\fback\bbell\u0007',
  '\u0001\u001f\u007f\u0080\u009f',
  'smile 🙂 family 👨‍👩‍👧‍👦 flag 🇪🇺',
  'line\u2028paragraph\u2029end',
  'e\u0301 composed é',
  'a\u0300\u0301\u0302\u0303 zalgo',
  'right \u202e to left \u200f שלום',
  'joined \u200d\u200b\u2060 end',
  'highest \u{10ffff} private \ue000 not a character \ufdd0 \ufffe',
  '</script><!-- & &amp; -->',
  '%s %d {0} $(x) #{y} `z`',
  "'; DROP TABLE product; --",
  '[1,2] {"a":null} null true',
  '🙂'.repeat(200),
  'x'.repeat(200),
]

onEachDatabase('Text', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  async function assertKept(names: readonly string[]): Promise<void> {
    const made = await Promise.all(
      names.map((name) => tenant.user.post('/api/products', { name, description: name, price: 1 })),
    )
    const expected = new Map(made.map(({ body }, index) => [body.id as string, names[index]?.trim()]))
    for (const { status, text } of made) assert.equal(status, 201, text)
    for (const [id, name] of expected) {
      const { body } = await tenant.user.get(`/api/products/${id}`)
      assert.deepEqual([body.name, body.description], [name, name])
    }
    const list = await tenant.user.get('/api/products')
    const found = list.body.filter(({ id }: { id: string }) => expected.has(id))
    assert.equal(found.length, names.length)
    for (const { id, name, description } of found) {
      assert.deepEqual([name, description], [expected.get(id), expected.get(id)])
    }
    const [page, active] = await Promise.all([
      tenant.user.get('/api/products?limit=200'),
      tenant.user.get('/api/products/active'),
    ])
    assert.deepEqual(page.body, list.body.slice(0, 200))
    assert.deepEqual(active.body, list.body)
  }

  it('is kept where it is hardest', () => assertKept(texts))

  it('is kept, whatever it is', async () => {
    const text = anyText(40).filter((any) => any.trim() !== '')
    const many = fc.array(text, { minLength: 40, maxLength: 40 })
    await fc.assert(fc.asyncProperty(many, assertKept), {
      numRuns: runsOf(1, 3),
      seed: runSeed,
      endOnFailure: true,
    })
  })

  it('is kept in a search', async () => {
    for (const text of texts) {
      const { body } = await tenant.user.get(`/api/products/search/${encodeURIComponent(text)}`)
      assert.ok(
        body.some(({ name }: { name: string }) => name === text),
        text,
      )
    }
  })

  it('is kept in categories', async () => {
    for (const name of texts) {
      const made = await tenant.user.post('/api/categories', { name })
      assert.equal(made.body.name, name, made.text)
    }
    const { body } = await tenant.user.get('/api/categories')
    assert.deepEqual(
      body.map(({ name }: { name: string }) => name),
      texts,
    )
  })

  it('loses the blanks around it, and is measured without them', async () => {
    const padded = `\u00a0\t ${'x'.repeat(200)}\u2003\n`
    const { body } = await tenant.user.post('/api/products', { name: padded, price: 1 })
    assert.equal(body.name, 'x'.repeat(200))
    for (const name of ['', ' ', '\t\n', '\u00a0\u2003\ufeff']) {
      const reason = /^name: must not have fewer than 1 characters$/
      assertError(await tenant.user.post('/api/products', { name, price: 1 }), 400, reason)
    }
  })

  it('has a longest length, counted in characters', async () => {
    const tooLong = /^name: must not have more than 200 characters$/
    for (const name of ['x'.repeat(201), '🙂'.repeat(201), 'x'.repeat(10_000), `a${'\u0301'.repeat(200)}`]) {
      assertError(await tenant.user.post('/api/products', { name, price: 1 }), 400, tooLong)
      assertError(await tenant.user.post('/api/categories', { name }), 400, tooLong)
    }
    const described = (description: string) =>
      tenant.user.post('/api/products', { name: 'A', price: 1, description })
    assert.equal((await described('🙂'.repeat(2000))).status, 201)
    assertError(
      await described('x'.repeat(2001)),
      400,
      /^description: must not have more than 2000 characters$/,
    )
  })

  it('is refused where no database could keep it, in every member', async () => {
    const product = (member: string, text: string) =>
      tenant.user.post('/api/products', `{"name":"Desk","price":1,"${member}":"${text}"}`)
    for (const text of ['a\\u0000b', '\\ud800', '\\udc00', 'a\\udfff b', '\\ud83d \\ude42']) {
      for (const member of ['name', 'description']) {
        const answer = await product(member, text)
        assertError(answer, 400, `${member}: must not contain null characters or lone surrogates`)
      }
      assertError(
        await tenant.user.post('/api/categories', `{"name":"${text}"}`),
        400,
        /^name: must not contain/,
      )
    }
    assert.equal((await product('name', '\\ud83d\\ude42')).body.name, '🙂')
  })
})
