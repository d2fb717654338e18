/** The compiler on an application of many entities, with rules of rows and without. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compilerCommand } from '../../test/support/process/compiler-command.ts'
import { type Finding, median, range } from '../row/finding.ts'

const entities = 200
const target = 1.15
const project = resolve(import.meta.dirname, '../..')

/** @param runs of the compiler on each, in turns */
export function measureTypes(runs: number): Finding {
  const folder = join(project, 'node_modules/.cache/access-types')
  mkdirSync(folder, { recursive: true })
  compile('-p', 'tsconfig.build.json', '--outDir', join(folder, 'dist'))
  const [ruled, plain] = [true, false].map((isRuled) => {
    const file = join(folder, isRuled ? 'ruled.ts' : 'plain.ts')
    writeFileSync(file, sourceOf(isRuled))
    return file
  }) as [string, string] // one for each
  const taken = Array.from({ length: runs }, () => ({ plain: secondsOf(plain), ruled: secondsOf(ruled) }))
  rmSync(folder, { recursive: true, force: true })
  const ratios = taken.map((each) => each.ruled / each.plain)
  const [least, most] = range(ratios)
  const ratio = median(ratios)
  const [ours, other] = [median(taken.map((each) => each.ruled)), median(taken.map((each) => each.plain))]
  return {
    row: 'access',
    work: `tsc of an application with ${entities} entities that have rules`,
    figure: `${ratio.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`,
    target: `≤ ${target.toFixed(2)}`,
    reached: ratio <= target,
    detail: `${ours.toFixed(2)} s, without rules ${other.toFixed(2)} s`,
  }
}

function sourceOf(isRuled: boolean): string {
  const rules = `
  access: {
    rows: {
      read: ({ row, actor }) => any(row.owner.is(actor.id), row.region.in(actor.claims('regions')), row.at('parent.owner').is(actor.id)),
      create: ({ row, actor }) => row.owner.is(actor.id),
      update: ({ row, actor }) => row.owner.is(actor.id),
      close: ({ row, actor }) => row.region.in(actor.claims('regions')),
    },
    fields: { note: { read: 'task:internal', write: 'task:internal' }, cost: { write: never } },
  },`
  const one = (index: number) => `
export const task${index} = entity('task${index}', {
  fields: {
    title: text(), region: text(), owner: user().optional(), parent: reference(parent), code${index}: text(), note: text().optional(),
    cost: money().default(0), state: oneOf('open', 'closed').default('open'), dueOn: date().optional(),
  },
  sort: ['createdAt', 'region'],
  actions: { close: { from: { state: 'open' }, to: { state: 'closed' }, run: (row) => ({ title: row.title }) } },${isRuled ? rules : ''}
})`
  return `import { any, date, entity, money, never, oneOf, reference, text, user } from './dist/index.js'
export const used = [any, never]
const parent = entity('parent', { fields: { name: text(), owner: user().optional() } })
${Array.from({ length: entities }, (_each, index) => one(index)).join('\n')}
`
}

/** Of the processor. */
function secondsOf(file: string): number {
  const { stderr } = compile(
    ...['--noEmit', '--strict', '--skipLibCheck', '--target', 'esnext', '--module', 'nodenext'],
    ...['--types', 'node', '--ignoreConfig', file],
  )
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return user + system
}

/** @throws Error with what the compiler says */
function compile(...words: string[]): { stderr: string } {
  const { arguments: compiler, environment } = compilerCommand(...words)
  const timed = `TIMEFORMAT='%U %S'; time "$@"`
  const { stdout, stderr, status } = spawnSync('bash', ['-c', timed, 'tsc', process.execPath, ...compiler], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
  if (status !== 0) throw new Error(`The compiler fails: ${stdout}`)
  return { stderr }
}
