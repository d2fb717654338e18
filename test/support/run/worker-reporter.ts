/** Reports the tests of a worker to the run. With `TEST_VERBOSE` each test has a line. */
import type { TestEvent } from 'node:test/reporters'
import { spec as Spec } from 'node:test/reporters'
import { inspect } from 'node:util'
import { timesOfFile } from './current-file.ts'
import { tell } from './messages.ts'
import { endLimit, restartLimit } from './time-limit.ts'

export default async function* report(events: AsyncIterable<TestEvent>): AsyncIterable<string> {
  const spec = process.env['TEST_VERBOSE'] === undefined ? null : new Spec()
  const names: string[] = []
  for await (const event of events) {
    if (event.type !== 'test:start' && event.type !== 'test:pass' && event.type !== 'test:fail') continue
    spec?.write(event)
    if (event.type === 'test:start') {
      names.length = event.data.nesting
      names.push(event.data.name)
      continue
    }
    restartLimit()
    const output = spec?.read()?.toString() ?? ''
    if (output !== '') tell({ kind: 'output', text: output })
    if (event.type === 'test:pass') reportPass(event.data)
    else reportFailure(event.data, names)
    if (event.data.nesting > 0) continue
    endLimit()
    tell({ kind: 'ended', times: timesOfFile() })
  }
  yield ''
}

type Data<Type extends TestEvent['type']> = Extract<TestEvent, { type: Type }>['data']

function reportPass({ name, details, skip }: Data<'test:pass'>): void {
  if (details.type === 'suite' && skip === undefined) return
  if (skip === undefined) tell({ kind: 'passed' })
  else tell({ kind: 'skipped', name, reason: String(skip) })
}

/** What other failures explain. */
const consequences: readonly unknown[] = ['subtestsFailed', 'cancelledByParent']

function reportFailure({ name, nesting, details, file, line }: Data<'test:fail'>, names: string[]): void {
  const { error } = details
  if (consequences.includes(Reflect.get(error, 'failureType'))) return
  const place = file === undefined ? '' : `\nat ${file}:${line}`
  tell({
    kind: 'failed',
    name: [...names.slice(0, nesting), name],
    text: `${inspect(error.cause ?? error, { colors: false })}${place}`,
  })
}
