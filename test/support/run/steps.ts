/** The parts of a run that are commands of their own, and what each part took. */
import { spawn } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { compilerCommand } from '../process/compiler-command.ts'
import { inSeconds, write } from './report.ts'
import { processorMs, timesNow, timesSince } from './times.ts'

export interface Command {
  heading: string
  /** Of Node.js, in the folder of the project. */
  arguments: string[]
  environment?: NodeJS.ProcessEnv
}

interface Part {
  heading: string
  wallMs: number
  processorMs: number
}

const project = resolve(import.meta.dirname, '../../..')
const cache = join(project, 'node_modules', '.cache')

const lint: Command = {
  heading: 'Format and lint',
  arguments: ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings'],
}

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

export const staticSteps: readonly Command[] = [lint, types, ...assetTypes]

/** Tests start the service as a process, which takes longer from sources. */
export const bundle: Command = { heading: 'Bundle', arguments: ['build/bundle.js'] }

/** As `bin/tenantry.js` decides, and the same for the console: the bundle counts while no source is newer. */
export function isBundled(): boolean {
  const built = statSync(join(project, 'dist/main.js'), { throwIfNoEntry: false })
  if (built === undefined) return false
  const sources = globSync(['src/**', 'assets/**', 'build/*'], { cwd: project }).map((file) =>
    statSync(join(project, file)),
  )
  return sources.every(({ mtimeMs }) => mtimeMs <= built.mtimeMs)
}

const parts: Part[] = []

/** @param work a part of the run, whose time the run prints at its end */
export async function timed<T>(heading: string, work: () => Promise<T>): Promise<T> {
  const begin = timesNow()
  try {
    return await work()
  } finally {
    const times = timesSince(begin)
    parts.push({ heading, wallMs: times.wallMs, processorMs: processorMs(times) })
  }
}

/** Of what a part has counted apart. */
export function addPart(heading: string, ms: number): void {
  parts.push({ heading, wallMs: 0, processorMs: ms })
}

export function printParts(): void {
  write('\n== What the run took, in seconds: wait, processor time\n')
  for (const part of parts) {
    const wait = part.wallMs === 0 ? ' '.repeat(8) : inSeconds(part.wallMs)
    write(`${wait}${inSeconds(part.processorMs)}  ${part.heading}\n`)
  }
}

/** @throws StepFailed */
export async function runStep({ heading, ...command }: Command): Promise<void> {
  write(`\n== ${heading}\n`)
  const code = await timed(heading, () => exitCodeOf(command, 'inherit'))
  if (code !== 0) throw new StepFailed(heading)
}

/** Runs commands side by side. Each prints what it has to say when it has ended. @throws StepFailed after all of them */
export async function runSideBySide(heading: string, commands: readonly Command[]): Promise<void> {
  const codes = await timed(heading, () =>
    Promise.all(
      commands.map(async (command) => {
        const printed: Buffer[] = []
        const code = await exitCodeOf(command, printed)
        write(`\n== ${command.heading}\n${Buffer.concat(printed)}`)
        return code
      }),
    ),
  )
  const failed = commands.filter((_, index) => codes[index] !== 0)
  if (failed.length > 0) throw new StepFailed(failed.map((command) => command.heading).join(', '))
}

/** It has printed why. */
export class StepFailed extends Error {}

/**
 * Signals to this process are passed on, so that nothing is left behind.
 * @param output where the command prints, or what collects it
 */
async function exitCodeOf(command: Omit<Command, 'heading'>, output: 'inherit' | Buffer[]): Promise<number> {
  const to = output === 'inherit' ? output : 'pipe'
  const child = spawn(process.execPath, command.arguments, {
    cwd: project,
    stdio: ['inherit', to, to],
    env: { ...process.env, ...command.environment },
  })
  if (output !== 'inherit')
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => void output.push(chunk))
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
