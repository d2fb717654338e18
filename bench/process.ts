/** Servers as a deployment runs them: each a process of its own, with nothing of this one in its environment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Server {
  url: string
  pid: number
  /** From spawn to the first good answer. */
  readyMs: number
  stop(): Promise<void>
}

export interface ServerOptions {
  /** The script, from the root, and its arguments. */
  command: string[]
  /** Its working directory, and where its log goes. */
  folder: string
  /** Environment variables. */
  settings?: Record<string, string>
  /** Where the script is; this project by default. */
  root?: string
  /** A path that answers 200 once the server is ready. */
  readyPath: string
}

const project = resolve(import.meta.dirname, '..')
const pollMs = 5
const startWithinMs = 30_000
const running = new Set<ChildProcess>()

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

export async function startServer(options: ServerOptions): Promise<Server> {
  const port = await freePort()
  const [script = '', ...words] = options.command
  const log = join(options.folder, 'log.txt')
  const begin = performance.now()
  const child = spawn(process.execPath, [join(options.root ?? project, script), ...words], {
    cwd: options.folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: `${port}`, ...options.settings },
    stdio: ['ignore', openSync(log, 'a'), 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const url = `http://localhost:${port}`
  while (!(await answers(`${url}${options.readyPath}`))) {
    if (child.exitCode !== null || performance.now() - begin > startWithinMs) {
      throw new Error(`${script} did not start: ${readFileSync(log, 'utf8').slice(-2000)}`)
    }
    await sleep(pollMs)
  }
  const readyMs = performance.now() - begin
  return { url, pid: child.pid ?? 0, readyMs, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`A server ended by itself with ${child.exitCode}.`)
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** A fresh connection each time: one that is kept would be refused along with the first attempt. */
function answers(url: string): Promise<boolean> {
  return new Promise((done) => {
    get(url, { agent: false }, (response) => {
      response.resume()
      done(response.statusCode === 200)
    }).once('error', () => done(false))
  })
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, 'localhost')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo // it listens on TCP
  probe.close()
  await once(probe, 'close')
  return port
}
