import type { Config } from '../config.ts'

export interface Arguments {
  /** Given options by name; those that are required are there. */
  options: Readonly<Record<string, string | undefined>>
  /** Those options without a value that were given. */
  flags: ReadonlySet<string>
  /** The positional argument; empty for commands that take none. */
  argument: string
}

/** @returns the exit code */
export type Run = (config: Config, given: Arguments) => Promise<number>

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
  /** What it does is loaded when it is called: help and a wrong call wait for no database driver. */
  load(): Promise<Run>
}

/** The command was called wrongly. */
export class UsageError extends Error {}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
