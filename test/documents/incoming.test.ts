/** What `docs/incoming-webhooks.md` counts up is what the service does. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { loadConfig } from '../../src/core/settings/config.ts'
import { orderActions } from '../../src/orders/action.ts'
import { builtInActions } from '../../src/webhooks/incoming/action.ts'
import { maxProviders } from '../../src/webhooks/incoming/provider/provider.ts'
import { maxRuns } from '../../src/webhooks/incoming/receipt/log.ts'
import { receiptStatuses } from '../../src/webhooks/incoming/receipt/schema.ts'
import { maxRules } from '../../src/webhooks/incoming/rule/rule.ts'
import { maxLoopCount, maxRunsOfChain } from '../../src/webhooks/incoming/run/chain.ts'
import { maxBytesAtOnce, maxRunsAtOnce } from '../../src/webhooks/incoming/run/run.ts'
import { schemeNames, schemeOf } from '../../src/webhooks/incoming/signature/scheme.ts'
import { loopCountHeader, originHeader } from '../../src/webhooks/outgoing/send/signed-message.ts'
import { codeSpans, readDocument, tableUnder, textOf } from './markdown.ts'

const page = readDocument('docs/incoming-webhooks.md')
const defaults = loadConfig({}, tmpdir())

const firstSpans = (heading: string) => tableUnder(page, heading).map(([name = '']) => codeSpans(name)[0])

test('the page on incoming webhooks names every scheme, and where it names an event and its type', () => {
  assert.deepEqual(
    firstSpans('Schemes'),
    schemeNames,
    'write the rows of the schemes into docs/incoming-webhooks.md',
  )
  for (const [name = '', , id = '', type = ''] of tableUnder(page, 'Schemes')) {
    const scheme = schemeOf(codeSpans(name)[0] as (typeof schemeNames)[number]) // compared just above
    const sources = (...given: (string | null)[]) => given.filter((source) => source !== null)
    const lowerCase = (spans: string[]) => spans.map((span) => span.toLowerCase())
    assert.deepEqual(lowerCase(codeSpans(id)), sources(...scheme.idHeaders, scheme.idMember))
    const members = scheme.typeMembers.map((path) => path.join('.').toLowerCase())
    assert.deepEqual(lowerCase(codeSpans(type)), sources(scheme.typeHeader, ...members))
  }
})

test('the page on incoming webhooks names every action and every status', () => {
  const actions = [...Object.keys(orderActions), ...Object.keys(builtInActions)]
  const mend = 'write the rows of these into docs/incoming-webhooks.md'
  assert.deepEqual(firstSpans('Rules'), actions, mend)
  assert.deepEqual(firstSpans('Status'), receiptStatuses, mend)
})

test('the page on incoming webhooks has the numbers of the code', () => {
  const waits = defaults.webhookRetrySeconds
  assert.equal(maxRunsAtOnce, 10) // written as a word
  for (const text of [
    `after ${waits.slice(0, -1).join(', ')} and ${waits.at(-1)} seconds`,
    `larger than ${defaults.webhookBodyLimitBytes / 1_048_576} MiB`,
    `kept for ${defaults.webhookRetentionDays} days`,
    `arrives with ${maxLoopCount} is stored`,
    `\`${loopCountHeader}\``,
    `\`${originHeader}\``,
    `has ${maxRules} rules and ${maxProviders} providers`,
    `the first ten are`,
    `get ${maxBytesAtOnce / 1024} KiB`,
    `keeps ${maxRuns} runs`,
    `runs ${maxRunsOfChain} actions`,
  ]) {
    assert.ok(textOf(page).includes(text), text)
  }
})
