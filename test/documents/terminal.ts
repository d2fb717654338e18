/** A terminal as a newcomer has it: a shell that keeps its variables, in a fresh copy of the project. */
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { root } from './markdown.ts'
import { Program } from './program.ts'

export interface Outcome {
  output: string
  /** What went to standard error. */
  complaints: string
  /** The exit code of the last command. */
  status: number
}

/**
 * Without data, tests and hidden files; the dependencies are linked rather than installed again, and the bundle that
 * comes with them is copied. Its time says whether it is that of the sources.
 */
export function copyProject(folder: string): void {
  const left = /^(\..*|node_modules|data|test|bench|docs\/images)$/
  const filter = (path: string) => !left.test(relative(root, path))
  cpSync(root, folder, { recursive: true, preserveTimestamps: true, filter })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/** Without what `npm test` has set, which would lead an npm inside it to the outer one's project. */
export function newcomersEnvironment(cacheFolder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD|NODE_)/i.test(name))
  const path = (process.env['PATH'] ?? '').split(delimiter)
  return {
    ...Object.fromEntries(own),
    PATH: path.filter((folder) => !folder.endsWith('node_modules/.bin')).join(delimiter),
    npm_config_cache: cacheFolder,
    npm_config_update_notifier: 'false',
  }
}

/**
 * Puts a command before npx that runs what npx would run in the copy. npx itself first installs the copy of the project
 * for itself, which takes three seconds of processor time.
 */
export function withShortNpx(
  environment: NodeJS.ProcessEnv,
  project: string,
  folder: string,
): NodeJS.ProcessEnv {
  mkdirSync(folder)
  const command = `#!/bin/sh\nshift\nexec '${project}/node_modules/.bin/node' '${project}/bin/tenantry.js' "$@"\n`
  writeFileSync(join(folder, 'npx'), command, { mode: 0o755 })
  return { ...environment, PATH: `${folder}${delimiter}${environment['PATH']}` }
}

export class Terminal {
  readonly #shell: Program
  readonly #script: string
  readonly #mark = `end-of-block-${randomBytes(8).toString('hex')}`

  /** @param script where each block is written to be run */
  constructor(folder: string, environment: NodeJS.ProcessEnv, script: string) {
    this.#script = script
    this.#shell = new Program('bash', [], { cwd: folder, env: environment })
  }

  /** In the shell itself, so that the next block finds the variables of this one. */
  async run(commands: string): Promise<Outcome> {
    writeFileSync(this.#script, commands)
    this.#shell.output = ''
    this.#shell.complaints = ''
    this.#shell.write(`. '${this.#script}' </dev/null; echo "${this.#mark} $?"\n`)
    const { index, 1: status } = await this.#shell.waitFor(new RegExp(`${this.#mark} (\\d+)\n`))
    const { output, complaints } = this.#shell
    return { output: output.slice(0, index), complaints, status: Number(status) }
  }

  async close(): Promise<void> {
    await this.#shell.stop()
  }
}
