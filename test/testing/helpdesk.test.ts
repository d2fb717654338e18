/** The example of `examples/helpdesk`: its own test, its migrations on both databases, and how little its access takes. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import '../../examples/helpdesk/helpdesk.test.ts'
import { createTestService } from '../../src/testing.ts'
import { fencedBlocks, readDocument, root } from '../documents/markdown.ts'
import { onEachDatabase, postgresServerUrl } from '../support/databases.ts'

/** Written by hand, with less, it took 142. */
const maxLines = 30

onEachDatabase('The example of a help desk', (database) => {
  it('is served with the migrations beside it, and keeps customers apart', async () => {
    await using service = await createTestService({
      config: new URL('../../examples/helpdesk/tenantry.config.ts', import.meta.url),
      ...(database === 'postgres' && { databaseUrl: await postgresServerUrl() }),
    })
    const { admin, user } = await service.newTenant()
    const { body: customer } = await admin.post('/api/customers', { name: 'Oak', contactId: admin.userId })
    const made = await admin.post('/api/tickets', { title: 'It squeaks', customerId: customer.id })
    assert.equal(made.status, 201)
    assert.deepEqual((await user.get('/api/tickets')).body, [])
    assert.equal((await user.get(`/api/tickets/${made.body.id}`)).status, 404)
  })

  it('is shown by the page about access, without what the console shows of it', () => {
    const shown = fencedBlocks(readDocument('docs/access.md')).flatMap(({ text }) => {
      const [, name, rest] = /^\/\/ (\S+\.ts)\n([\s\S]*)$/.exec(text) ?? []
      return name === undefined || rest === undefined ? [] : [[name, rest] as const]
    })
    assert.deepEqual(
      shown.map(([name]) => name),
      ['tenantry.config.ts', 'ticket.ts'],
    )
    for (const [name, text] of shown) {
      const file = readFileSync(join(root, 'examples/helpdesk', name), 'utf8')
      const asShown = file
        .replace('../../src/index.ts', 'tenantry')
        .replace('consolePage, ', '')
        .replace(/ {2}console: {\n {4}pages: {\n[\s\S]*?\n {2}},\n/, '  // console: docs/console-panels.md\n')
        .replace("import { ticketLabels } from './ticket-labels.ts'\n", '')
        .replace(
          / {2}console: {\n[\s\S]*?\n {2}labels: ticketLabels,\n/,
          '  // console and labels: docs/console-hints.md\n',
        )
      assert.equal(text, asShown, name)
    }
  })

  it('states its access in few lines', () => {
    const files = globSync('*.ts', { cwd: join(root, 'examples/helpdesk') })
    const lines = files.flatMap((name) =>
      accessIn(readFileSync(join(root, 'examples/helpdesk', name), 'utf8')),
    )
    assert.ok(lines.length > 15 && lines.length <= maxLines, `${lines.length} lines`)
  })
})

/** @returns the lines of each `access: { … }`, and of the roles */
function accessIn(text: string): string[] {
  const found = [
    ...text.matchAll(/^ {2}(?:access|roles|defaultRoles): (?:\{.*\},|\{\n[\s\S]*?\n {2}\},)$/gm),
    ...text.matchAll(/^const shared = .*$/gm),
  ]
  return found.flatMap(([all]) => all.split('\n'))
}
