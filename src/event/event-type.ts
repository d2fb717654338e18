/** Types of events by their names, each with the JSON Schema that its payloads are held to. */
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { DeclaredNames } from '../declared-names.ts'
import { errorFinder, type SchemaError } from '../schema-errors.ts'
import { patternsFor } from '../subscription/match.ts'

export interface EventType {
  /** One sentence: what has happened. */
  summary: string
  /** With `examples`, from which the catalogue shows a payload. */
  payload: TSchema
}

/** Names are `noun.pastVerb`. */
export type EventCatalogue = Readonly<Record<string, EventType>>

/** A payload that is not as the catalogue says is a fault of the code that publishes it. */
export class EventTypes {
  readonly #types = new Map<string, EventType>()
  readonly #checks = new Map<string, Check>()
  /** What subscriptions may name: the types, all of a noun (`order.*`), and `*`. */
  readonly declared: DeclaredNames

  /** @throws Error when two catalogues have the same name */
  constructor(catalogues: readonly EventCatalogue[]) {
    for (const [name, type] of catalogues.flatMap((catalogue) => Object.entries(catalogue))) {
      if (this.#types.has(name)) throw new Error(`The event ${name} is in the catalogue twice.`)
      this.#types.set(name, type)
    }
    this.declared = new DeclaredNames([...this.#types.keys()].flatMap(patternsFor))
  }

  /** In the order of their names. */
  list(): [name: string, type: EventType][] {
    return [...this.#types].sort(([one], [other]) => (one < other ? -1 : 1))
  }

  has(name: string): boolean {
    return this.#types.has(name)
  }

  /** @throws Error naming what is wrong with the payload, or that there is no such type */
  check(name: string, payload: unknown): void {
    const faults = this.faultsOf(name, payload)
    if (faults !== null) throw new Error(`The payload of ${name} is not as its schema says: ${faults}`)
  }

  /** @returns what is wrong with the payload, or `null` @throws Error when there is no such type */
  faultsOf(name: string, payload: unknown): string | null {
    const check = this.#checks.get(name) ?? this.#compile(name)
    if (check.accepts(payload)) return null
    return check
      .errorsOf(payload)
      .map(({ instancePath, message }) => `${instancePath} ${message}`.trim())
      .join('; ')
  }

  /** On first use: most processes publish few of the types. */
  #compile(name: string): Check {
    const type = this.#types.get(name)
    if (type === undefined) throw new Error(`The event ${name} is in no catalogue.`)
    const compiled = Compile(type.payload)
    const check = { accepts: (payload: unknown) => compiled.Check(payload), errorsOf: errorFinder(compiled) }
    this.#checks.set(name, check)
    return check
  }
}

interface Check {
  accepts(payload: unknown): boolean
  errorsOf(payload: unknown): SchemaError[]
}
