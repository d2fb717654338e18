/**
 * The one gate: format and lint, types, then every test; it stops at the first step that fails.
 *
 *     npm test                              every behaviour once
 *     npm run test:all                      on both databases, all random cases, floods and faults
 *     npm run check                         format, lint, types and the house rules
 *     npm test -- test/catalog/product      the tests of a folder, or of a file
 *     npm test -- --changed                 the tests that touch what has changed
 *     npm test -- --contracts               what enumerates the product
 *     npm test -- --seed 2                  with the random cases, and the databases, of another run
 *     npm test -- --bail                    until the first failure
 *     npm test -- --allow-untried           passes on a machine without Chromium or PgBouncer
 *     npm run faults -- test/jobs           the tests of faults of a folder, on the real disk
 *
 * Other flags are for Node.js, e.g. `--test-name-pattern=refund`.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type PostgresServer, startPostgres } from './support/database/postgres-server.ts'
import { addToHistory } from './support/run/history.ts'
import { parseOptions } from './support/run/options.ts'
import { type PoolOptions, runPool } from './support/run/pool.ts'
import { type Failure, RunReport, summaryOf, write } from './support/run/report.ts'
import { makeRunFolder } from './support/run/run-folder.ts'
import {
  addPart,
  bundle,
  isBundled,
  printParts,
  runSideBySide,
  runStep,
  StepFailed,
  staticSteps,
  timed,
} from './support/run/steps.ts'
import { chooseFaults, chooseFiles, runsAlone, unitsOf } from './support/run/test-files.ts'
import { processorMs, timesNow } from './support/run/times.ts'
import { untriedNote, untriedOf } from './support/run/untried.ts'

const project = resolve(import.meta.dirname, '..')
const template = 'migrated'

/**
 * Every process that tests start loads the service: what Node.js has compiled once is kept for the others. The processes
 * of the tests do without: V8 has ended one whose heap was full while it read what was kept.
 */
const compileCache = join(project, 'node_modules', '.cache', 'compiled')

/**
 * Every test has a database of its own, for a second or two: to vacuum and analyze those takes more than to create them.
 * Nothing has to outlive the run.
 */
const forManyDatabases = ['autovacuum=off', 'fsync=off', 'full_page_writes=off']

type Crew = Pick<PoolOptions, 'workers' | 'filesPerWorker' | 'testTimeoutMs' | 'endWaitMs'>

/** The tests wait for processes and disks as well: four processes at a time keep two cores busy. */
const usualCrew: Crew = { workers: 4, filesPerWorker: 128, testTimeoutMs: 120_000, endWaitMs: 10_000 }
const wholeCrew: Crew = { ...usualCrew, testTimeoutMs: 480_000 }

/** Tests of faults make a load of their own, and some prepare a million rows, more than once. */
const faultCrew: Crew = { ...usualCrew, workers: 2, filesPerWorker: 1, testTimeoutMs: 600_000 }

const options = parseOptions(process.argv.slice(2))
const seed = options.seed ?? (options.all ? Date.now() % 2 ** 31 : usualSeed())
const failures: Failure[] = []
const isPassed = await runAll().catch(explain)
printParts()
const { wallMs, ...times } = timesNow()
const [seconds, busy] = [wallMs, processorMs({ wallMs, ...times })].map((each) => (each / 1000).toFixed(1))
write(`\n${isPassed ? 'Passed' : 'FAILED'} in ${seconds} s, ${busy} s of processor time\n`)
for (const failure of failures) write(`${summaryOf(failure)}\n`)
process.exitCode = isPassed ? 0 : 1

/** The random cases of two seeds are known, and each database has its turn: they alternate with the commits. */
function usualSeed(): number {
  try {
    const count = execFileSync('git', ['rev-list', '--count', 'HEAD'], {
      cwd: project,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    return 1 + (Number(count) % 2)
  } catch {
    return 1
  }
}

async function runAll(): Promise<boolean> {
  const isWhole = options.places.length === 0 && !options.changed && !options.contracts && !options.faults
  if (isWhole) await runSideBySide('Format, lint, types', staticSteps)
  if (isWhole && !options.quick && !isBundled()) await runStep(bundle)
  const runs: [files: string[], run: typeof runUsual][] = []
  if (!options.faults) runs.push([chooseFiles(options), runUsual])
  if (options.faults || options.all) runs.push([chooseFaults(options), runFaults])
  let failed = 0
  for (const [files, run] of runs) failed += await run(files, isWhole)
  return failed === 0
}

function runUsual(files: string[], isWhole: boolean): Promise<number> {
  return runTests(files, { faults: false, isWhole, crew: options.all ? wholeCrew : usualCrew })
}

/** On the real disk, and a process for each file. */
function runFaults(files: string[], isWhole: boolean): Promise<number> {
  return runTests(files, { faults: true, isWhole, crew: faultCrew })
}

interface TestRun {
  faults: boolean
  /** Nothing was chosen: the tests have dots instead of lines. */
  isWhole: boolean
  crew: Crew
}

/** @returns how many tests failed */
async function runTests(files: string[], { faults, isWhole, crew }: TestRun): Promise<number> {
  const heading = faults ? 'Tests of faults' : 'Tests'
  write(`\n== ${heading}: ${files.length} files, seed ${seed} (--seed ${seed} repeats it)\n`)
  const temporary = process.env['TMPDIR']
  const folder = makeRunFolder(!faults)
  process.env['TMPDIR'] = folder
  const server = options.quick ? null : await startServer(faults)
  const report = new RunReport(!isWhole)
  const untried = await untriedOf(files)
  try {
    if (server !== null) await migrateTemplates(server.url, folder)
    const environment: NodeJS.ProcessEnv = {
      TEST_COMPILE_CACHE: compileCache,
      TEST_RUN_FOLDER: folder,
      TEST_SEED: `${seed}`,
      ...(options.all && { TEST_EXTENT: 'all' }),
      ...(!isWhole && { TEST_VERBOSE: '1' }),
      ...(server !== null && templatesOf(server, folder, faults)),
    }
    const left = untried.flatMap((each) => each.files)
    const tried = files.filter((file) => !left.includes(file))
    const pool = { ...crew, environment, flags: options.flags, bail: options.bail }
    const together = unitsOf(tried.filter((file) => !runsAlone(file)))
    await timed(heading, () => runPool({ ...pool, units: together }, report))
    const apart = unitsOf(tried.filter(runsAlone))
    if (apart.length > 0)
      await timed(`${heading}, alone`, () => runPool({ ...pool, units: apart, workers: 1 }, report))
    addPart('  in the tests', report.sum('ownMs'))
    addPart('  in processes that they started', report.sum('startedMs'))
  } finally {
    if (server !== null) await timed('PostgreSQL', () => server.stop())
    rmSync(folder, { recursive: true, force: true })
    if (temporary === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = temporary
  }
  failures.push(...report.failures)
  report.printEnd()
  report.printSlowest()
  remember(report)
  if (untried.length > 0) write(untriedNote(untried, options.allowUntried))
  return report.failures.length + (options.allowUntried ? 0 : untried.flatMap((each) => each.files).length)
}

/** @returns `null` where another server is given */
async function startServer(faults: boolean): Promise<PostgresServer | null> {
  if (process.env['TEST_POSTGRES_URL'] !== undefined) return null
  return startPostgres(faults ? [] : forManyDatabases)
}

/** Creates the databases that tests copy. */
function migrateTemplates(serverUrl: string, folder: string): Promise<void> {
  const url = new URL(serverUrl)
  url.pathname = `/${template}`
  return runStep({
    heading: 'Migrations',
    arguments: ['test/support/run/migrated-database.ts'],
    environment: { DATABASE_URL: url.href, DATA_DIR: join(folder, template) },
  })
}

/** What tests copy. Tests of faults begin with a file that SQLite itself has synced. */
function templatesOf(server: PostgresServer, folder: string, faults: boolean): NodeJS.ProcessEnv {
  return {
    TEST_POSTGRES_URL: server.url,
    TEST_POSTGRES_TEMPLATE: template,
    ...(!faults && { TEST_SQLITE_TEMPLATE: join(folder, template, 'tenantry.db') }),
  }
}

function remember(report: RunReport): void {
  const failed = new Set(report.failures.map(({ file }) => file))
  const seen = [...report.times].map(([file, took]) => [
    file,
    { failures: failed.has(file) ? 1 : 0, wallMs: took.wallMs, processorMs: processorMs(took) },
  ])
  addToHistory(Object.fromEntries(seen))
}

/** A step that failed has printed why. */
function explain(error: unknown): boolean {
  if (!(error instanceof StepFailed)) write(`\n${error instanceof Error ? error.message : error}\n`)
  return false
}
