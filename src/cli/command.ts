/** The types of a command, and functions that all commands use. */
import type { MissingKey } from '../core/encryption/master-key.ts'
import type { OutputStream } from '../core/log/standard-output.ts'
import type { Config } from '../core/settings/config.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import type { Surroundings } from './surroundings.ts'

export interface Arguments {
  /** Options by name; required ones are always present. */
  options: Readonly<Record<string, string | undefined>>
  /** The values of options that may be given several times, by name. */
  lists: Readonly<Record<string, readonly string[]>>
  /** Names of the flags that were given. */
  flags: ReadonlySet<string>
  /** The positional argument; empty for commands that take none. */
  argument: string
}

/** @param options of the application, with its features, and the log of the command @returns the exit code */
export type Run = (
  config: Config,
  given: Arguments,
  options: ServiceOptions,
  surroundings: Surroundings,
) => Promise<number>

/** How a command is called. */
export interface Usage {
  about: string
  /** The name of the positional argument in the help text, for commands that take one. */
  argument?: string
  /** Options with a value, by name, with their meaning. */
  options?: Readonly<Record<string, string>>
  /** Options with a value that may be given several times, by name, with their meaning. */
  lists?: Readonly<Record<string, string>>
  /** Options without a value, by name, with their meaning. */
  flags?: Readonly<Record<string, string>>
  /** Names of required options. */
  required?: readonly string[]
}

export interface Command extends Usage {
  /** How a missing master key is treated; it is created by default. */
  masterKey?(given: Arguments): MissingKey
  /** Runs until it is stopped, and does not wait until its output is read. */
  isService?: boolean
  /** Loads the code on demand, so that help and usage errors load no database driver. */
  load(): Promise<Run>
}

/** A command that needs neither settings nor an application. */
export interface LoneCommand extends Usage {
  /** @returns the exit code */
  loadAlone(): Promise<(given: Arguments, surroundings: Surroundings) => Promise<number>>
}

/** A wrong use of the command line. */
export class UsageError extends Error {}

/** Standard output has lost a part of the output. */
export class UnwrittenOutput extends Error {}

/** @param phaseTexts the line to print for each phase; `null` for none */
export function phasePrinter<P extends string>(
  output: OutputStream,
  phaseTexts: Readonly<Record<P, string | null>>,
): (phase: P) => void {
  return (phase) => {
    const text = phaseTexts[phase]
    if (text !== null) print(output, text)
  }
}

export function print(output: OutputStream, text: string): void {
  output.write(`${text}\n`)
}
