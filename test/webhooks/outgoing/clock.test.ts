/** The clock of an instance is compared with that of PostgreSQL. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { TestClock } from '../../support/clock.ts'
import type { DatabaseName } from '../../support/databases.ts'
import { startService } from '../../support/service.ts'

/** @returns what a service says whose clock is so far ahead */
async function reportedDifference(database: DatabaseName, seconds: number) {
  const clock = new TestClock()
  clock.advance({ seconds })
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const service = await startService(database, {}, { clock: clock.now, log })
  const { text } = await service.anonymous.get('/metrics')
  await service.stop()
  const figure = /^webhook_clock_difference_seconds (.*)$/m.exec(text)?.[1]
  const warning = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg.startsWith('the clock of this'))
  return { figure: figure === undefined ? null : Number(figure), warnedMs: warning?.aheadMs ?? null }
}

describe('The clock of an instance', () => {
  for (const seconds of [3600, -3600]) {
    it(`that differs by ${seconds} s from that of PostgreSQL is warned of at the start, and shown`, async () => {
      const { figure, warnedMs } = await reportedDifference('postgres', seconds)
      // Both are as little as it can be, and asking takes its time.
      for (const found of [figure ?? 0, warnedMs / 1000])
        assert.ok(Math.abs(seconds) - Math.abs(found) < 30 && found * seconds > 0, `${found}`)
      assert.ok(Math.abs(figure ?? 0) <= Math.abs(seconds) + 1)
    })
  }

  it('that is PostgreSQL’s is not warned of', async () => {
    const { figure, warnedMs } = await reportedDifference('postgres', 0)
    assert.deepEqual([figure, warnedMs], [0, null])
  })

  it('is the only one beside SQLite', async () => {
    assert.deepEqual(await reportedDifference('sqlite', 3600), { figure: null, warnedMs: null })
  })
})
