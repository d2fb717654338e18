/** What `docs/webhooks.md` counts up is what the service does. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { maxDataBytes } from '../../src/core/events/publish.ts'
import { loadConfig } from '../../src/core/settings/config.ts'
import { defaultDeliveryLimits } from '../../src/webhooks/outgoing/queue/limiter.ts'
import { maxKeptBytes, maxReadBytes } from '../../src/webhooks/outgoing/send/response.ts'
import { messageBody, messageHeaders } from '../../src/webhooks/outgoing/send/signed-message.ts'
import { codeSpans, fencedBlocks, readDocument, tableUnder, textOf } from './markdown.ts'

const page = readDocument('docs/webhooks.md')
const defaults = loadConfig({}, tmpdir())
test('the page on webhooks has the schedule of the settings', () => {
  const listed = tableUnder(page, 'Retries')
  const waits = ['none', ...defaults.webhookRetrySeconds.map((seconds) => `${seconds} s`)]
  assert.deepEqual(
    listed,
    waits.map((wait, index) => [`${index + 1}`, wait]),
  )
})

test('the page on webhooks names every header', () => {
  const listed = tableUnder(page, 'Deliveries').flatMap(([name = '']) => codeSpans(name))
  const sent = Object.keys(messageHeaders({ id: 'evt_1' }, '{}', ['secret'], new Date()))
  assert.deepEqual(listed.toSorted(), sent.toSorted())
  const standard = Object.keys(messageHeaders({ id: 'evt_1' }, '{}', ['whsec_c2VjcmV0'], new Date()))
  for (const name of standard) assert.ok(codeSpans(page).includes(name), name)
})

test('the page on webhooks shows a delivery that is genuine', () => {
  const [shown] = fencedBlocks(page).filter(({ language }) => language === 'http')
  const [head = '', body = ''] = shown?.text.trimEnd().split('\n\n') ?? []
  const [, ...lines] = head.split('\n')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ')))
  const [secret = ''] = /(?<=for the secret `)[^`]+/.exec(page) ?? []
  const timestamp = headers['X-Webhook-Timestamp']
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  assert.equal(headers['X-Webhook-Signature'], `v1=${digest}`)
  const { id, type, timestamp: createdAt, tenantId, data } = JSON.parse(body)
  assert.equal(messageBody({ id, type, createdAt, tenantId, data: JSON.stringify(data) }), body)
  const sent = messageHeaders({ id }, body, [secret], new Date(Number(timestamp) * 1000))
  assert.deepEqual({ ...sent, ...headers }, sent)
})

test('the page on webhooks has the numbers of the code', () => {
  for (const text of [
    `An attempt has ${defaults.webhookTimeoutMs / 1000} seconds`,
    `${maxReadBytes / 1024} KiB of your answer are read`,
    `the first ${maxKeptBytes / 1024} KiB are kept`,
    `at most ${maxDataBytes / 1024} KiB as JSON`,
    `up to ${defaultDeliveryLimits.subscription} as long as`,
    `kept for ${defaults.webhookRetentionDays} days`,
  ]) {
    assert.ok(textOf(page).includes(text), text)
  }
})
