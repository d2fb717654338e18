/**
 * Sources without their types, kept for the processes of this run and of later ones: to strip them takes longer than
 * anything else in loading the service. The text alone is kept, not what V8 has compiled.
 */
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Stripped {
  /** Of the source. */
  digest: string
  text: string
}

/** By path. */
type Kept = Record<string, Stripped>

export class StrippedSources {
  readonly #file: string
  readonly #kept: Kept
  readonly #added: Kept = {}

  /** @param file that keeps them */
  constructor(file: string) {
    this.#file = file
    this.#kept = read(file)
  }

  /** @returns the text of a TypeScript file as JavaScript, each word at its place */
  textOf(path: string): string {
    const source = readFileSync(path, 'utf8')
    const digest = hash('sha1', source)
    const known = this.#added[path] ?? this.#kept[path]
    if (known?.digest === digest) return known.text
    const text = stripTypeScriptTypes(source)
    this.#added[path] = { digest, text }
    return text
  }

  /** Keeps what was added, beside what other processes have kept meanwhile. */
  save(): void {
    if (Object.keys(this.#added).length === 0) return
    const written = `${this.#file}.${process.pid}`
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(written, JSON.stringify({ ...read(this.#file), ...this.#added }))
    renameSync(written, this.#file)
  }
}

/** From now on the files of the project are loaded from there, and what is new is kept when the process exits. */
export function loadStripped(file: string): void {
  const sources = new StrippedSources(file)
  registerHooks({
    load: (url, context, next) => {
      if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
      return { format: 'module', source: sources.textOf(fileURLToPath(url)), shortCircuit: true }
    },
  })
  process.on('exit', () => sources.save())
}

function read(file: string): Kept {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}
