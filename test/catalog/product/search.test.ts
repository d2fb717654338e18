import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { onEachDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { runSeed, runsOf } from '../../support/run/extent.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'

const names = [
  'Walnut desk',
  'WALNUT TABLE',
  'École',
  'cafe\u0301 noir',
  'Straße 7',
  'ΟΔΟΣ και ΟΔΟΣΗΜΟ',
  'Чашка',
  '100% wool',
  '100 wool',
  'snake_case',
  'snakeXcase',
  'back\\slash',
  "it's",
  'a "quoted" word',
  'rock/paper',
  'smile 🙂',
  'two  blanks',
  '[a-z]*.^$',
]

/** What is searched for, and what is found. */
const searches: Record<string, string[]> = {
  walnut: ['Walnut desk', 'WALNUT TABLE'],
  WALNUT: ['Walnut desk', 'WALNUT TABLE'],
  'nut d': ['Walnut desk'],
  '  walnut desk  ': ['Walnut desk'],
  walnutdesk: [],
  école: ['École'],
  'E\u0301COLE': ['École'],
  CAFÉ: ['cafe\u0301 noir'],
  cafe: [],
  strasse: ['Straße 7'],
  STRAßE: ['Straße 7'],
  οδοσ: ['ΟΔΟΣ και ΟΔΟΣΗΜΟ'],
  οδος: ['ΟΔΟΣ και ΟΔΟΣΗΜΟ'],
  ΟΔΟΣΗ: ['ΟΔΟΣ και ΟΔΟΣΗΜΟ'],
  чаш: ['Чашка'],
  '%': ['100% wool'],
  '0%': ['100% wool'],
  '100%wool': [],
  _: ['snake_case'],
  '\\': ['back\\slash'],
  "'": ["it's"],
  "' OR '1'='1": [],
  "'; DROP TABLE product; --": [],
  '"': ['a "quoted" word'],
  '/': ['rock/paper'],
  '🙂': ['smile 🙂'],
  'two blanks': [],
  'two  blanks': ['two  blanks'],
  '.*': [],
  '*.^': ['[a-z]*.^$'],
  '?': [],
  '#': [],
}

onEachDatabase('A search for products', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    for (const name of names)
      await tenant.user.post('/api/products', { name, price: 1, isActive: name > 'a' })
  })
  after(() => service.stop())

  const search = (term: string) => tenant.user.get(`/api/products/search/${encodeURIComponent(term)}`)

  for (const [term, expected] of Object.entries(searches)) {
    it(`for ${JSON.stringify(term)} finds ${JSON.stringify(expected)}`, async () => {
      const { status, body } = await search(term)
      assert.equal(status, 200)
      assert.deepEqual(
        body.map(({ name }: { name: string }) => name),
        expected,
      )
    })
  }

  it('finds id, name and price, and nothing more', async () => {
    const { body } = await search('walnut desk')
    assert.deepEqual(body, [{ id: body[0].id, name: 'Walnut desk', price: 1 }])
  })

  it('finds a product under its present name only', async () => {
    const { body } = await tenant.user.post('/api/products', { name: 'Former', price: 1 })
    await tenant.user.put(`/api/products/${body.id}`, { name: 'Latter', price: 1 })
    assert.deepEqual((await search('former')).body, [])
    assert.equal((await search('latter')).body.length, 1)
  })

  it('finds nothing of another tenant', async () => {
    const { user } = await service.newTenant()
    assert.deepEqual((await user.get('/api/products/search/a')).body, [])
  })

  for (const blank of ['', '%20', '%20%20', '%09', '%0A', '%C2%A0', '%E2%80%A8', '?limit=1', '%20?limit=1']) {
    it(`for "${blank}" is refused as empty`, async () => {
      const answer = await tenant.user.get(`/api/products/search/${blank}`)
      assertError(answer, 400, 'The search term is empty.')
    })
  }

  it('is refused for what is no text', async () => {
    assertError(await tenant.user.get('/api/products/search/a%00b'), 400)
    for (const term of ['%ff', '%', '%zz', '%ED%A0%80', '%C0%AF']) {
      assertError(await tenant.user.get(`/api/products/search/${term}`), 400)
    }
  })

  it('finds nothing for a term longer than any name', async () => {
    assert.deepEqual((await search('ä'.repeat(201))).body, [])
    assert.deepEqual((await search('🙂'.repeat(200))).body, [])
  })

  it('is refused for a term that is too long', async () => {
    assert.deepEqual((await search('a'.repeat(1024))).body, [])
    for (const length of [1025, 15_000]) {
      assertError(await search('a'.repeat(length)), 400, 'The search term is longer than 1024 characters.')
    }
  })

  it('finds every name by every part of it, in either case', async () => {
    // Without the dotless i: its upper case is that of another letter.
    const unit = fc.constantFrom(...'aZéÉßẞςσΣжЖİǅﬁ%_\\\'"/🙂中 ')
    const text = fc.string({ unit, maxLength: 12 })
    const part = fc.string({ unit, minLength: 1, maxLength: 6 }).filter((term) => term.trim() !== '')
    await fc.assert(
      fc.asyncProperty(text, part, text, async (head, middle, tail) => {
        const made = await tenant.user.post('/api/products', { name: `${head}${middle}${tail}`, price: 1 })
        for (const term of [middle, middle.toUpperCase(), middle.toLowerCase()]) {
          const { body } = await search(term)
          const found = body.some(({ id }: { id: string }) => id === made.body.id)
          assert.ok(found, `${JSON.stringify(term)} does not find ${JSON.stringify(made.body.name)}`)
        }
        await tenant.user.delete(`/api/products/${made.body.id}`)
      }),
      { numRuns: runsOf(12, 60), seed: runSeed },
    )
  })
})
