/** The page on settings of a tenant: what it says of them is so. Another test compares its file with the example. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { customer } from '../../examples/invoice/customer.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import { invoicePrefix } from '../../examples/invoice/prefix.ts'
import { migrated } from '../entity/migrated.ts'
import { startService, type TestService } from '../support/service.ts'
import { codeSpans, fencedBlocks, readDocument, tableUnder } from './markdown.ts'

const page = readDocument('docs/settings.md')
const path = '/api/tenant/settings'

describe('the page on settings', () => {
  let service: TestService
  before(async () => {
    const features = [...migrated([customer, invoice]), invoicePrefix]
    service = await startService('sqlite', {}, { features })
  })
  after(() => service.stop())

  test('lists every built-in setting, and says which are public', async () => {
    const { body: all } = await service.host.get(path)
    const { body: open } = await service.anonymous.get(`${path}/public`)
    const listed = tableUnder(page, 'Built-in settings').map(([name = '', , , , isPublic]) => [
      ...codeSpans(name),
      isPublic,
    ])
    const { invoicePrefix: ofInvoice, ...builtIn } = all
    assert.equal(ofInvoice, 'INV-')
    const held = Object.keys(builtIn).map((name) => [name, name in open ? 'yes' : 'no'])
    assert.deepEqual(listed.toSorted(), held.toSorted(), 'run: npm run documents')
  })

  test('changes a setting as it shows', async () => {
    const { text = '' } = fencedBlocks(page).find(({ language }) => language === 'http') ?? {}
    const [head = '', body = ''] = text.split('\n\n')
    assert.ok(head.startsWith(`PUT ${path}\n`))
    const { status, body: settings } = await service.host.put(path, JSON.parse(body))
    assert.deepEqual([status, settings.invoicePrefix, settings.locale], [200, 'RE-', 'en'])
  })

  test('quotes the messages of refused changes', async () => {
    for (const change of [{ invoicePrefix: 'ABCDEFGHIJK' }, { invoicePrefx: 'RE-' }]) {
      const { status, body } = await service.host.put(path, change)
      assert.equal(status, 400)
      assert.ok(page.includes(`\`${body.message}\``), body.message)
    }
  })
})
