/** What `docs/incoming-webhooks.md` counts up is what the service does. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { loadConfig } from '../../src/core/settings/config.ts'
import { orderActions } from '../../src/orders/incoming.ts'
import { builtInActions } from '../../src/webhooks/incoming/action/built-in.ts'
import { mostProviders } from '../../src/webhooks/incoming/provider/provider.ts'
import { mostRuns } from '../../src/webhooks/incoming/receipt/log.ts'
import { receiptStatuses } from '../../src/webhooks/incoming/receipt/status.ts'
import { mostHops } from '../../src/webhooks/incoming/receive/hops.ts'
import { mostRules } from '../../src/webhooks/incoming/rule/rule.ts'
import { mostRunsOfChain } from '../../src/webhooks/incoming/run/chain.ts'
import { mostBytesAtOnce, mostRunsAtOnce } from '../../src/webhooks/incoming/run/piece.ts'
import { schemeNames, schemeOf } from '../../src/webhooks/incoming/signature/scheme.ts'
import { hopsHeader, originHeader } from '../../src/webhooks/outgoing/message.ts'
import { codeSpans, readDocument, tableUnder, textOf } from './markdown.ts'

const page = readDocument('docs/incoming-webhooks.md')
const defaults = loadConfig({}, tmpdir())

const firstSpans = (heading: string) => tableUnder(page, heading).map(([name = '']) => codeSpans(name)[0])

test('the page on incoming webhooks names every scheme, and where it names an event and its type', () => {
  assert.deepEqual(firstSpans('Schemes'), schemeNames)
  for (const [name = '', , id = '', type = ''] of tableUnder(page, 'Schemes')) {
    const scheme = schemeOf(codeSpans(name)[0] as (typeof schemeNames)[number]) // compared just above
    const [source] = codeSpans(id)
    assert.equal(source?.toLowerCase(), scheme.idHeader ?? scheme.idMember)
    assert.equal(codeSpans(type)[0]?.toLowerCase() ?? null, scheme.typeHeader)
  }
})

test('the page on incoming webhooks names every action and every status', () => {
  const actions = [...Object.keys(orderActions), ...Object.keys(builtInActions)]
  assert.deepEqual(firstSpans('Rules'), actions)
  assert.deepEqual(firstSpans('Status'), receiptStatuses)
})

test('the page on incoming webhooks has the numbers of the code', () => {
  const waits = defaults.webhookRetrySeconds
  assert.equal(mostRunsAtOnce, 10) // written as a word
  for (const text of [
    `after ${waits.slice(0, -1).join(', ')} and ${waits.at(-1)} seconds`,
    `larger than ${defaults.webhookBodyLimitBytes / 1_048_576} MiB`,
    `kept for ${defaults.webhookRetentionDays} days`,
    `arrives with ${mostHops} is stored`,
    `\`${hopsHeader}\``,
    `\`${originHeader}\``,
    `has ${mostRules} rules and ${mostProviders} providers`,
    `the first ten are`,
    `get ${mostBytesAtOnce / 1024} KiB`,
    `keeps ${mostRuns} runs`,
    `runs ${mostRunsOfChain} actions`,
  ]) {
    assert.ok(textOf(page).includes(text), text)
  }
})
