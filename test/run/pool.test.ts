/** What a test file may do to its process, and what the run says about it. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { runPool } from '../support/run/pool.ts'

interface Outcome {
  passed: number
  ended: string[]
  failures: { file: string; name: readonly string[]; text: string }[]
}

const fixture = (name: string): string => `test/run/fixtures/${name}.ts`

interface Limits {
  workers: number
  testTimeoutMs: number
  endWaitMs: number
}

/** For files that reach no limit, on a busy machine too. */
const usual: Limits = { workers: 1, testTimeoutMs: 60_000, endWaitMs: 2000 }

/** For files that wait for a limit: all at once. A process has half of it to start. */
const short: Limits = { workers: 3, testTimeoutMs: 10_000, endWaitMs: 2000 }

async function run(names: string[], limits = usual, bail = false, flags: string[] = []): Promise<Outcome> {
  const outcome: Outcome = { passed: 0, ended: [], failures: [] }
  await runPool(
    {
      ...limits,
      filesPerWorker: 10,
      units: names.map((name) => [fixture(name)]),
      environment: {},
      flags,
      bail,
    },
    {
      passed: () => outcome.passed++,
      skipped: () => undefined,
      failed: (file, name, text) => outcome.failures.push({ file, name, text }),
      ended: (file) => outcome.ended.push(file),
    },
  )
  return outcome
}

describe('A run goes on after a bad file', () => {
  const bad = ['fails', 'does-not-load', 'ends-its-process', 'throws-later']
  const long = ['never-ends', 'waits-for-ever', 'takes-its-time']
  let outcome: Outcome
  before(async () => {
    const [one, other] = await Promise.all([run([...bad, 'passes', 'leaves-a-server']), run(long, short)])
    outcome = {
      passed: one.passed + other.passed,
      ended: [...one.ended, ...other.ended],
      failures: [...one.failures, ...other.failures],
    }
  })

  const failuresOf = (name: string) => outcome.failures.filter(({ file }) => file === fixture(name))

  test('and runs the tests of the others', () => {
    assert.equal(outcome.ended.includes(fixture('passes')), true)
    // In `fails`, `passes` and `leaves-a-server` one, and six in `takes-its-time`.
    assert.equal(outcome.passed, 9)
  })

  test('and names a test that fails by its suites', () => {
    const [failure, ...others] = failuresOf('fails')
    assert.deepEqual([failure?.name, others], [['a suite', 'fails'], []])
    assert.match(failure?.text ?? '', /1 !== 2[\s\S]*fails\.ts:6/)
  })

  test('and names one that does not load', () => {
    const [failure, ...others] = failuresOf('does-not-load')
    assert.deepEqual([failure?.name, others], [[], []])
    assert.match(failure?.text ?? '', /It does not load\./)
  })

  test('and names one that blocks its process', () => {
    assert.deepEqual(
      failuresOf('never-ends').map(({ name }) => name),
      [['never ends']],
    )
  })

  test('and names one that waits for what never comes', () => {
    const [failure, ...others] = failuresOf('waits-for-ever')
    assert.deepEqual([failure?.name, others], [[], []])
    assert.match(failure?.text ?? '', /timed out/)
  })

  test('and waits for one whose tests take long together', () => {
    assert.deepEqual(failuresOf('takes-its-time'), [])
    assert.equal(outcome.ended.includes(fixture('takes-its-time')), true)
  })

  test('and names one that ends its process', () => {
    assert.deepEqual(
      failuresOf('ends-its-process').map(({ name }) => name),
      [['ends its process (exit code 0)']],
    )
  })

  test('and names one with an error that nobody awaits', () => {
    assert.match(
      failuresOf('throws-later')
        .map(({ text }) => text)
        .join(),
      /Too late\./,
    )
  })

  test('and names one that leaves a server', () => {
    const [failure, ...others] = failuresOf('leaves-a-server')
    assert.deepEqual([failure?.name, others], [['leaves something behind'], []])
    assert.match(failure?.text ?? '', /TCPServerWrap, left by test\/run\/fixtures\/leaves-a-server\.ts/)
  })
})

test('A run that is to stop at the first failure does', async () => {
  const { ended, failures } = await run(['fails', 'passes'], usual, true)
  assert.equal(failures.length, 1)
  assert.equal(ended.includes(fixture('passes')), false)
})

test('A run whose processes do not start says so, and ends', async () => {
  const { ended, failures } = await run(['passes'], usual, false, ['--no-such-flag'])
  assert.deepEqual(ended, [])
  assert.deepEqual(
    failures.map(({ file, name }) => [file, ...name]),
    [['The processes of the tests', 'do not start (exit code 9)']],
  )
  assert.match(failures[0]?.text ?? '', /--no-such-flag/)
})
