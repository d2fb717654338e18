/** The receivers of `docs/webhook-receivers.md` are the files in `examples/receivers`, and what runs here is run. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newEventId } from '../../src/core/id.ts'
import { messageBody, messageHeaders } from '../../src/webhooks/outgoing/send/signed-message.ts'
import { newSecret } from '../../src/webhooks/subscriptions/secret.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import { sharedService } from '../support/service.ts'
import { fencedBlocks, readDocument, root } from './markdown.ts'
import { Program } from './program.ts'

const folder = join(root, 'examples/receivers')
const languages = [
  { name: 'Node.js', command: 'node', file: 'receiver.mjs' },
  { name: 'Python', command: 'python3', file: 'receiver.py' },
] as const

interface Running {
  program: Program
  url: string
}

test('the page on webhooks shows each receiver as it is', () => {
  const files = globSync('*', { cwd: folder }).toSorted()
  assert.deepEqual(files, ['Receiver.cs', 'receiver.go', 'receiver.mjs', 'receiver.php', 'receiver.py'])
  const shown = fencedBlocks(readDocument('docs/webhook-receivers.md')).map(({ text }) => text)
  for (const file of files) {
    assert.ok(shown.includes(readDocument(`examples/receivers/${file}`)), `${file} is not shown as it is`)
  }
})

for (const { name, command, file } of languages) {
  const tenantExists = spawnSync(command, ['--version']).status === 0
  describe(`the receiver in ${name}`, { skip: tenantExists ? false : `there is no ${command}` }, () => {
    const [older, newer] = [newSecret(), 'ein Schlüssel, ✓=1']
    let knowsOlder: Running
    let knowsNewer: Running
    before(async () => {
      knowsOlder = await startReceiverProgram(command, file, older)
      knowsNewer = await startReceiverProgram(command, file, newer)
    })
    after(async () => {
      await knowsOlder.program.stop()
      await knowsNewer.program.stop()
    })

    test('takes a delivery, and what it tells once', async () => {
      const event = newEvent({ orderId: '7', total: 59.97, note: 'ü 🙂 \u2028 "\\' })
      const again = () => postEvent(knowsOlder, event, signedHeaders(event, [older]))
      assert.deepEqual(await Promise.all([again(), again(), again()]), [204, 204, 204])
      assert.equal(await again(), 204)
      assert.equal(await takeOutput(knowsOlder), `order.created ${event.id}\n`)
    })

    test('takes a body of a megabyte, and fifty at the same moment', async () => {
      const events = Array.from({ length: 50 }, (_, index) =>
        newEvent({ filler: 'ä'.repeat(index === 0 ? 500_000 : index) }),
      )
      const statuses = await Promise.all(
        events.map((event) => postEvent(knowsOlder, event, signedHeaders(event, [older]))),
      )
      assert.deepEqual(new Set(statuses), new Set([204]))
      const printed = (await takeOutput(knowsOlder, events.length)).trim().split('\n')
      assert.deepEqual(printed.toSorted(), events.map(({ id }) => `order.created ${id}`).toSorted())
    })

    test('takes what the old and the new secret have signed, whichever it knows', async () => {
      for (const order of [
        [newer, older],
        [older, newer],
      ]) {
        const event = newEvent()
        for (const running of [knowsOlder, knowsNewer]) {
          assert.equal(await postEvent(running, event, signedHeaders(event, order)), 204)
          assert.equal(await takeOutput(running), `order.created ${event.id}\n`)
        }
      }
      const event = newEvent()
      assert.equal(await postEvent(knowsNewer, event, signedHeaders(event, [newer])), 204)
      assert.equal(await postEvent(knowsOlder, event, signedHeaders(event, [newer])), 400)
      assert.equal(await takeOutput(knowsNewer), `order.created ${event.id}\n`)
    })

    test('takes what is a little late or early, and nothing stale', async () => {
      for (const [seconds, status] of [
        [-290, 204],
        [290, 204],
        [-310, 400],
        [310, 400],
        [-86_400, 400],
      ] as const) {
        const event = newEvent()
        const at = new Date(Date.now() + seconds * 1000)
        assert.equal(
          await postEvent(knowsOlder, event, signedHeaders(event, [older], at)),
          status,
          `${seconds}`,
        )
      }
      assert.match(await takeOutput(knowsOlder, 2), /^(order\.created \S+\n){2}$/)
    })

    test('takes nothing that was tampered with', async () => {
      const event = newEvent({ total: 1 })
      const headers = signedHeaders(event, [older])
      const signature = headers['X-Webhook-Signature'] ?? ''
      const timestamp = headers['X-Webhook-Timestamp'] ?? ''
      const wrong: [string, string, Record<string, string>][] = [
        ['a changed byte', event.body.replace('"total":1', '"total":2'), headers],
        ['a byte more', `${event.body} `, headers],
        ['no body', '', headers],
        ['another moment', event.body, { ...headers, 'X-Webhook-Timestamp': `${Number(timestamp) + 1}` }],
        ['a moment that is none', event.body, { ...headers, 'X-Webhook-Timestamp': `${timestamp}.0` }],
        ['no moment', event.body, without(headers, 'X-Webhook-Timestamp')],
        ['no signature', event.body, without(headers, 'X-Webhook-Signature')],
        ['another secret', event.body, signedHeaders(event, ['another'])],
        ['half a signature', event.body, { ...headers, 'X-Webhook-Signature': signature.slice(0, 40) }],
        [
          'a signature without its scheme',
          event.body,
          { ...headers, 'X-Webhook-Signature': signature.slice(3) },
        ],
        ['another scheme', event.body, { ...headers, 'X-Webhook-Signature': signature.replace('v1', 'v0') }],
        ['nothing but commas', event.body, { ...headers, 'X-Webhook-Signature': ',,v1=,' }],
      ]
      for (const [title, body, given] of wrong) {
        assert.equal(await postEvent(knowsOlder, { ...event, body }, given), 400, title)
      }
      assert.equal(await postEvent(knowsOlder, event, headers), 204)
      assert.equal(await takeOutput(knowsOlder), `order.created ${event.id}\n`)
    })

    test('gets what a running service delivers, before and after a rotation', async () => {
      const service = await sharedService('sqlite')
      try {
        const tenant = await service.newTenant()
        const made = await tenant.user.post('/api/webhooks/subscriptions', {
          url: `${knowsOlder.url}/hooks`,
          events: ['order.*'],
          secret: older,
        })
        assert.equal(made.status, 201, made.text)
        const desk = await newProduct(tenant.user)
        const order = await tenant.user.post('/api/orders', orderOf([[desk, 1]]))
        await knowsOlder.program.waitFor(/order\.created evt_\w{26}\n/)
        const rotated = await tenant.user.post(
          `/api/webhooks/subscriptions/${made.body.id}/rotate-secret`,
          {},
        )
        assert.equal(rotated.status, 200, rotated.text)
        await tenant.user.post(`/api/orders/${order.body.id}/pay`)
        await knowsOlder.program.waitFor(/order\.paid evt_\w{26}\n/)
      } finally {
        await service.stop()
      }
    })
  })
}

interface Event {
  id: string
  body: string
}

async function startReceiverProgram(command: string, file: string, secret: string): Promise<Running> {
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0', PYTHONUTF8: '1' }
  const program = new Program(command, [join(folder, file)], { cwd: folder, env })
  const [, port] = await program.waitFor(/listening on (\d+)\n/)
  program.output = ''
  return { program, url: `http://localhost:${port}` }
}

function newEvent(data: object = {}): Event {
  const id = newEventId()
  const createdAt = new Date().toISOString()
  const body = messageBody({
    id,
    type: 'order.created',
    createdAt,
    tenantId: 'acme',
    data: JSON.stringify(data),
  })
  return { id, body }
}

function signedHeaders(
  { id, body }: Event,
  secrets: readonly string[],
  at = new Date(),
): Record<string, string> {
  return messageHeaders({ id }, body, secrets, at)
}

async function postEvent(
  { url }: Running,
  { body }: Event,
  headers: Record<string, string>,
): Promise<number> {
  const answer = await fetch(url, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}

/** What was printed since this was last asked, once there are so many lines; each stands for an event. */
async function takeOutput({ program }: Running, lines = 1): Promise<string> {
  const [output] = await program.waitFor(new RegExp(`^(.*\\n){${lines},}$`))
  program.output = ''
  return output
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  const { [name]: _left, ...rest } = headers
  return rest
}
