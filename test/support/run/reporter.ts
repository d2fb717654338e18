/** Prints a dot for each test; failures, skipped tests and totals at the end. */
import { Readable } from 'node:stream'
import type { TestEvent } from 'node:test/reporters'
import { spec as Spec } from 'node:test/reporters'

const dotsPerLine = 100

export default async function* report(events: AsyncIterable<TestEvent>): AsyncIterable<string> {
  const telling: TestEvent[] = []
  let dots = 0
  for await (const event of events) {
    if (isTelling(event)) telling.push(event)
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    if (event.data.details.type === 'suite') continue
    yield event.type === 'test:fail' ? 'X' : event.data.skip === undefined ? '.' : 's'
    if (++dots % dotsPerLine === 0) yield '\n'
  }
  yield '\n'
  yield* Readable.from(telling).compose(new Spec())
}

/** Passing tests are not reported; their output is. */
function isTelling({ type, data }: TestEvent): boolean {
  if (type === 'test:pass') return data.skip !== undefined
  return ['test:fail', 'test:diagnostic', 'test:stdout', 'test:stderr', 'test:summary'].includes(type)
}
