/** The commands of `docs/files.md` are run, and print what the page shows; the rest is compared with the code. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { customer } from '../../examples/invoice/customer.ts'
import { invoiceDocument } from '../../examples/invoice/document.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import { fileTypes } from '../../src/files/content/type.ts'
import { migrated } from '../entity/migrated.ts'
import { upload } from '../files/scene.ts'
import { freePort } from '../support/free-port.ts'
import { startService, type TestService } from '../support/service.ts'
import { codeSpans, fencedBlocks, readDocument, tableUnder } from './markdown.ts'
import { assertShown } from './output.ts'

const page = readDocument('docs/files.md')
const blocks = fencedBlocks(page)
const commands = blocks.filter(
  ({ language, text: lines }) => language === 'sh' && !lines.startsWith('FILES_URL'),
)

describe('the page on files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-files-'))
  let service: TestService
  before(async () => {
    const port = `${await freePort()}`
    service = await startService(
      'sqlite',
      { PORT: port },
      { features: migrated([customer, invoice, invoiceDocument]) },
    )
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('has commands that work, and shows what they print', async () => {
    const { accessToken: TOKEN } = await service.signIn('admin')
    const mark = '--- next ---'
    const address = new URL(service.url).host
    const script = commands
      .map(({ text: lines }) => lines.replaceAll('localhost:3000', address))
      .join(`\necho; echo '${mark}'\n`)
    const shell = spawn('bash', ['-euc', script], { cwd: folder, env: { ...process.env, TOKEN } })
    const [output, complaints] = await Promise.all([text(shell.stdout), text(shell.stderr)])
    const outputs = output.split(mark)
    assert.equal(outputs.length, commands.length, `${output}\n${complaints}`)
    const shown = commands.flatMap((block, place) => {
      const next = blocks[blocks.indexOf(block) + 1]
      return next !== undefined && ['json', 'text'].includes(next.language) ? [{ next, place }] : []
    })
    assert.equal(shown.length, 2)
    const hidden = (lines: string) =>
      lines.replaceAll(address, 'localhost:3000').replaceAll(/expires=\d+&signature=[\w-]+/g, 'signed')
    for (const { next, place } of shown)
      assertShown({ ...next, text: hidden(next.text) }, hidden(outputs[place] ?? '').trim())
  })

  test('lists every type, and no other', () => {
    const listed = tableUnder(page, 'Upload').flatMap(([types = '']) => codeSpans(types))
    const known = Object.keys(fileTypes)
    for (const type of listed)
      assert.ok(
        known.some((each) => each.startsWith(type.replace('…', ''))),
        type,
      )
    for (const type of known)
      assert.ok(
        listed.some((each) => type.startsWith(each.replace('…', ''))),
        type,
      )
  })

  test('gives an invoice its PDF', async () => {
    const { host } = service
    const customerId = (await host.post('/api/customers', { name: 'One' })).body.id
    const lines = [{ text: 'Desk', quantity: 1, price: 1 }]
    const invoiceId = (await host.post('/api/invoices', { customerId, lines })).body.id
    const pdfId = (await upload(host)).body.id
    const made = await host.post('/api/invoice-documents', { invoiceId, pdfId })
    assert.deepEqual([made.status, made.body.pdf.id, made.body.pdf.type], [201, pdfId, 'application/pdf'])
    assert.equal((await host.post('/api/invoice-documents', { invoiceId, pdfId })).status, 400)
  })
})
