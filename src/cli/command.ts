import type { AbsentKey } from '../core/encryption/master-key.ts'
import type { Config } from '../core/settings/config.ts'
import type { ServiceOptions } from '../service/service-options.ts'

export interface Arguments {
  /** Given options by name; those that are required are there. */
  options: Readonly<Record<string, string | undefined>>
  /** The flags that were given, by name. */
  flags: ReadonlySet<string>
  /** The positional argument; empty for commands that take none. */
  argument: string
}

/** @param options of the application, with its features @returns the exit code */
export type Run = (config: Config, given: Arguments, options: ServiceOptions) => Promise<number>

export interface Command {
  about: string
  /** How help calls the positional argument, for commands that take one. */
  argument?: string
  /** Options with a value, by name, and what each means. */
  options?: Readonly<Record<string, string>>
  /** Options without a value, by name, and what each means. */
  flags?: Readonly<Record<string, string>>
  /** The options that it cannot do without. */
  required?: readonly string[]
  /** What becomes of a master key that is not there yet; it is made, unless this says otherwise. */
  masterKey?(given: Arguments): AbsentKey
  /** It goes on until it is stopped: then nobody is waited for who does not read what it has written. */
  isService?: boolean
  /** What it does is loaded when it is called: help and a wrong call wait for no database driver. */
  load(): Promise<Run>
}

/** The command was called wrongly. */
export class UsageError extends Error {}

/** What the command has done is not all on standard output. */
export class UnwrittenOutput extends Error {}

/** @param phaseTexts what is told of each phase; `null` for nothing */
export function phasePrinter<P extends string>(
  phaseTexts: Readonly<Record<P, string | null>>,
): (phase: P) => void {
  return (phase) => {
    const text = phaseTexts[phase]
    if (text !== null) print(text)
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
