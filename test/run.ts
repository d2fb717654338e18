/**
 * The one gate: format and lint, types, then every test; it stops at the first step that fails.
 * `npm run check` leaves out the tests but those of the project's own rules.
 * `npm test -- test/catalog/product` runs only the tests of that folder or file, `--only-rules` those of the
 * project's own rules; other flags are for `node --test`, e.g. `--test-name-pattern=refund`. `--times` ends with the
 * files that took the longest. What takes long, because it stops and kills things under load or tries very many cases
 * (`*.fault.test.ts`), runs with `npm run faults`.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type PostgresServer, startPostgres } from './support/database/postgres-server.ts'
import { compilerCommand } from './support/process/compiler-command.ts'
import { aloneFile, makeRunFolder, writeWorkers } from './support/run/run-folder.ts'
import { finishedPath, slowestFiles, timesNow } from './support/run/times.ts'

interface Command {
  heading: string
  arguments: string[]
  environment?: NodeJS.ProcessEnv
}

const project = resolve(import.meta.dirname, '..')
const rulesFolder = 'test/rules'
const template = 'migrated'
const faultEnding = '.fault.test.ts'

/** The tests wait for processes and disks as well: four processes at a time keep two cores busy. */
const usualConcurrency = 4

/** Of a worker process. */
const filesPerProcess = 24

/** Tests of faults make a load of their own. */
const faultConcurrency = 2

/**
 * Every test has a database of its own, for a second or two: to vacuum and analyze those takes more than to create them.
 * Nothing has to outlive the run.
 */
const forManyDatabases = ['autovacuum=off', 'fsync=off', 'full_page_writes=off']

const cache = join(project, 'node_modules', '.cache')

/** Every process loads the service: what Node.js has compiled once is kept for the others. */
const compileCache = join(cache, 'compiled')

/**
 * A test file that hangs ends the run. The package is built, installed and used in 45 s of processor time, beside three
 * other files, which takes three minutes on a busy machine. Some tests of faults prepare a million rows, more than once.
 */
const fileTimeoutMs = 480_000
const faultTimeoutMs = 600_000

/** Of a worker, which runs a share of the files. */
const workerTimeoutMs = 3_600_000

const lint: Command = {
  heading: 'Format and lint',
  arguments: ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings'],
}

/** Tests start the service as a process, which takes longer from sources. */
const bundle: Command = { heading: 'Bundle', arguments: ['build/bundle.js'] }

const types: Command = {
  heading: 'Types',
  ...compilerCommand(
    ...['--noEmit', '-p', '.', '--incremental', '--tsBuildInfoFile', join(cache, 'types.tsbuildinfo')],
  ),
}

/** What runs in browsers has types of its own. */
const assetTypes: Command[] = globSync('assets/*/tsconfig.json', { cwd: project }).map((path) => ({
  heading: `Types of ${dirname(path)}`,
  ...compilerCommand('--noEmit', '-p', path),
}))

const withTimes = process.argv.includes('--times')
process.exitCode = await runAll(process.argv.slice(2).filter((word) => word !== '--times'))
const { wallMs, ownMs, startedMs } = timesNow()
const [seconds, busy] = [wallMs, ownMs + startedMs].map((each) => (each / 1000).toFixed(1))
process.stdout.write(
  `\n${process.exitCode === 0 ? 'Passed' : 'FAILED'} in ${seconds} s, ${busy} s of processor time\n`,
)

/** @returns the exit code of the first step that failed, or 0 */
async function runAll(given: string[]): Promise<number> {
  const isQuick = given.includes('--quick')
  if (given.length > 0 && !isQuick) return runSome(given)
  for (const command of [lint, types, ...assetTypes]) {
    const code = await run(command)
    if (code !== 0) return code
  }
  if (!isQuick && !isBundled()) {
    const code = await run(bundle)
    if (code !== 0) return code
  }
  return runTests([isQuick ? rulesFolder : 'test'], ['--test-reporter=./test/support/run/reporter.ts'])
}

/** As `bin/tenantry.js` decides, and the same for the console: the bundle counts while no source is newer. */
function isBundled(): boolean {
  const built = statSync(join(project, 'dist/main.js'), { throwIfNoEntry: false })
  if (built === undefined) return false
  const sources = globSync(['src/**', 'assets/**', 'build/*'], { cwd: project }).map((file) =>
    statSync(join(project, file)),
  )
  return sources.every(({ mtimeMs }) => mtimeMs <= built.mtimeMs)
}

function runSome(given: string[]): Promise<number> {
  const places = given.filter((word) => !word.startsWith('-'))
  const flags = given.filter((word) => word.startsWith('-') && word !== '--only-rules' && word !== '--faults')
  if (given.includes('--only-rules')) places.push(rulesFolder)
  if (given.includes('--faults') && places.length === 0)
    places.push(...globSync(`test/**/*${faultEnding}`, { cwd: project }))
  if (!flags.some((flag) => flag.startsWith('--test-reporter'))) flags.push('--test-reporter=spec')
  return runTests(places.length > 0 ? places : ['test'], flags, given.includes('--faults'))
}

/** Creates the databases that tests copy. */
function migrateTemplates(serverUrl: string, folder: string): Command {
  const url = new URL(serverUrl)
  url.pathname = `/${template}`
  return {
    heading: 'Migrations',
    arguments: ['test/support/run/migrated-database.ts'],
    environment: { DATABASE_URL: url.href, DATA_DIR: join(folder, template) },
  }
}

/** Tests of faults use the real disk, and each file has a process. */
async function runTests(places: string[], flags: string[], faults = false): Promise<number> {
  const files = places.flatMap(testFiles).toSorted((one, other) => turnOf(one) - turnOf(other))
  const folder = makeRunFolder(!faults)
  process.env['TMPDIR'] = folder
  const workers = Math.min(usualConcurrency, files.length)
  const shares = Math.ceil(files.length / filesPerProcess)
  const isStatic = places.every((place) => place === rulesFolder)
  const server = isStatic ? null : await startServer(faults)
  try {
    if (server !== null) {
      const code = await run(migrateTemplates(server.url, folder))
      if (code !== 0) return code
    }
    const code = await run({
      heading: `Tests (${files.length} files)`,
      arguments: [
        '--test',
        `--test-concurrency=${faults ? faultConcurrency : workers}`,
        `--test-timeout=${faults ? faultTimeoutMs : workerTimeoutMs}`,
        ...flags,
        ...(faults ? files : writeWorkers(folder, files, Math.max(workers, shares))),
      ],
      environment: {
        NODE_COMPILE_CACHE: compileCache,
        TEST_RUN_FOLDER: folder,
        TEST_FILES_PER_PROCESS: `${filesPerProcess}`,
        TEST_FILE_TIMEOUT_MS: `${fileTimeoutMs}`,
        ...(server !== null && templatesOf(server, folder, faults)),
      },
    })
    if (withTimes) process.stdout.write(slowestFiles(folder, project, files))
    return code === 0 && !faults ? codeOfUnfinished(folder, files) : code
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns `null` where another server is given */
async function startServer(faults: boolean): Promise<PostgresServer | null> {
  if (process.env['TEST_POSTGRES_URL'] !== undefined) return null
  return startPostgres(faults ? [] : forManyDatabases)
}

/** What tests copy. Tests of faults begin with a file that SQLite itself has synced. */
function templatesOf(server: PostgresServer, folder: string, faults: boolean): NodeJS.ProcessEnv {
  return {
    TEST_POSTGRES_URL: server.url,
    TEST_POSTGRES_TEMPLATE: template,
    ...(!faults && { TEST_SQLITE_TEMPLATE: join(folder, template, 'tenantry.db') }),
  }
}

/** A process that ends early, whatever its exit code, has not run all of its files. */
function codeOfUnfinished(folder: string, files: readonly string[]): number {
  const unfinished = files.filter((_, index) => !existsSync(finishedPath(folder, index)))
  for (const file of unfinished) process.stdout.write(`Not finished: ${file}\n`)
  return unfinished.length === 0 ? 0 : 1
}

/** What takes minutes begins first; what needs the processor for itself comes last. */
function turnOf(file: string): number {
  if (file.endsWith(aloneFile)) return 2
  return file.endsWith('test/package/package.test.ts') ? 0 : 1
}

function testFiles(place: string): string[] {
  const path = resolve(project, place)
  if (statSync(path).isFile()) return [path]
  return globSync('**/*.test.ts', { cwd: path })
    .filter((file) => !file.endsWith(faultEnding))
    .map((file) => join(path, file))
    .toSorted()
}

/** Runs Node.js with these arguments; signals to this process are passed on, so that nothing is left behind. */
async function run(command: Command): Promise<number> {
  process.stdout.write(`\n== ${command.heading}\n`)
  const child = spawn(process.execPath, command.arguments, {
    cwd: project,
    stdio: 'inherit',
    env: { ...process.env, ...command.environment },
  })
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', pass).on('SIGTERM', pass)
  try {
    return await new Promise((done, fail) => {
      child.once('error', fail)
      child.once('close', (code) => done(code ?? 1))
    })
  } finally {
    process.off('SIGINT', pass).off('SIGTERM', pass)
  }
}
