/**
 * `npm run speed`: the processor time of four requests, beside bare Fastify and, if asked, beside an earlier commit, in
 * turns in one run. Processor time is disturbed little by what else the machine does; figures of two machines, or of two
 * runs, are not comparable, but their ratios to the floor nearly are.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Load } from '../load/load.ts'
import { describeMachine } from '../machine.ts'
import { startServer } from '../process.ts'
import { median } from '../row/finding.ts'
import { type Rounds, run, type Side } from '../row/turns.ts'
import { initialize, makeFolder, removeFolder } from '../service.ts'
import { residentMb } from '../usage.ts'
import { commitHere, writeFigures } from './document.ts'
import { prepareWorks, type WorkName, workNames } from './works.ts'

/** A request may become dearer by this share before the run tells. */
const noise = 0.05

const project = resolve(import.meta.dirname, '../..')
const figuresFile = join(import.meta.dirname, 'figures.json')

const { values: options } = parseArgs({
  options: {
    base: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
  },
})

/** For each request the microseconds of each contender. */
type Figures = Partial<Record<WorkName, Record<string, number>>>

interface Contender {
  name: string
  pid: number
  works: Record<WorkName, Side>
  stop(): Promise<void>
}

const rounds: Rounds = { count: Number(options.rounds), ms: Number(options.seconds) * 1000, warmUpMs: 2000 }
const chosen = workNames.filter((name) => options.only.length === 0 || options.only.includes(name))
const contenders = await startAll(options.base ?? null)
const load = new Load()
const figures: Figures = {}
for (const work of chosen) figures[work] = await measure(work)
load.stop()
const memory = contenders.map(({ name, pid }) => `${name} ${residentMb(pid).toFixed(0)} MB`).join(', ')
for (const { stop } of contenders) await stop()

console.log(describeMachine())
console.log(tableOf(figures))
console.log(`Resident after the load: ${memory}`)
const fallen = fallenSince(figures)
for (const line of fallen) console.log(line)
if (options.write) write(figures)
process.exitCode = fallen.length > 0 ? 1 : 0

async function startAll(base: string | null): Promise<Contender[]> {
  const started = [await startFloor()]
  if (base !== null) started.push(await startTenantry('base', checkedOut(base)))
  return [...started, await startTenantry('here', project)]
}

async function startFloor(): Promise<Contender> {
  const folder = makeFolder()
  const server = await startServer({ command: ['bench/floor/sqlite.ts'], folder, readyPath: '/ready' })
  const works = await prepareWorks(server, 'a token as long as one of ours'.padEnd(500, '.'))
  return { name: 'floor', pid: server.pid, works, stop: stopping(server, folder) }
}

async function startTenantry(name: string, root: string): Promise<Contender> {
  const folder = makeFolder()
  const command = ['bin/tenantry.js', 'serve']
  const settings = { LOG_LEVEL: 'warn' }
  const server = await startServer({ command, folder, settings, root, readyPath: '/health/ready' })
  const { token } = await initialize(server.url)
  return { name, pid: server.pid, works: await prepareWorks(server, token), stop: stopping(server, folder) }
}

function stopping(server: { stop(): Promise<void> }, folder: string): () => Promise<void> {
  return async () => {
    await server.stop()
    removeFolder(folder)
  }
}

/** The commit with this project's packages if its own are the same, or else with its own. */
function checkedOut(commit: string): string {
  const folder = makeFolder()
  process.once('exit', () => removeFolder(folder))
  const inFolder = (command: string, ...words: string[]) =>
    execFileSync(command, words, { cwd: folder, stdio: 'ignore' })
  execFileSync('git', ['clone', '--quiet', '--no-checkout', project, folder])
  inFolder('git', 'checkout', '--quiet', commit)
  const lockOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8')
  if (lockOf(folder) === lockOf(project))
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  else inFolder('npm', 'ci', '--no-audit', '--no-fund')
  if (existsSync(join(folder, 'build/bundle.js'))) inFolder(process.execPath, 'build/bundle.js')
  return folder
}

async function measure(work: WorkName): Promise<Record<string, number>> {
  // The floor has no GraphQL: its list has as many rows.
  const sides = contenders.map(({ name, works }) =>
    name === 'floor' && work === 'graphql' ? works.list : works[work],
  )
  for (const side of sides) await run(load, side, rounds.warmUpMs)
  const taken = contenders.map((): number[] => [])
  for (let round = 0; round < rounds.count; round++)
    for (const [index, side] of sides.entries()) taken[index]?.push((await run(load, side, rounds.ms)).cpuUs)
  return Object.fromEntries(contenders.map(({ name }, index) => [name, median(taken[index] ?? [])]))
}

/** How often a request of ours fits into the time of the floor's. */
function ratiosOf(all: Figures): Record<string, number> {
  return Object.fromEntries(
    Object.entries(all).map(([work, { floor = 0, here = 0 }]) => [work, Number((floor / here).toFixed(2))]),
  )
}

function tableOf(all: Figures): string {
  const ratios = ratiosOf(all)
  const lines = Object.entries(all).map(([work, { floor = 0, base, here = 0 }]) => {
    const beside = base === undefined ? '' : ` ${base.toFixed(1)} | ${(base / here).toFixed(2)} |`
    return `| ${work} | ${here.toFixed(1)} µs | ${floor.toFixed(1)} µs | ${ratios[work]?.toFixed(2)} |${beside}`
  })
  const beside = options.base === undefined ? '' : ` ${options.base} | to it |`
  return [
    `| Request | Processor time | Bare Fastify | Ratio |${beside}`,
    `|---|---|---|---|${beside && '---|---|'}`,
    ...lines,
  ].join('\n')
}

/** @returns a line for each request that is dearer than the committed figures, or the base, allow */
function fallenSince(all: Figures): string[] {
  const known: Record<string, number> = existsSync(figuresFile)
    ? JSON.parse(readFileSync(figuresFile, 'utf8'))
    : {}
  return Object.entries(ratiosOf(all)).flatMap(([work, ratio]) => {
    const { base, here = 0 } = all[work as WorkName] ?? {} // its keys
    const usual = known[work] ?? 0
    return [
      ...(ratio < usual * (1 - noise) ? [`${work}: ${ratio} of the floor, usually ${usual}`] : []),
      ...(base !== undefined && here > base * (1 + noise)
        ? [`${work}: ${here.toFixed(1)} µs, ${base.toFixed(1)} at ${options.base}`]
        : []),
    ]
  })
}

/** The ratios for later runs, and the table of the document. */
function write(all: Figures): void {
  writeFileSync(figuresFile, `${JSON.stringify(ratiosOf(all), null, 2)}\n`)
  writeFigures('speed', `${describeMachine()}, commit \`${commitHere()}\`:\n\n${tableOf(all)}`)
}
