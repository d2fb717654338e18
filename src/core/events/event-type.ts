/** Types of events by their names, each with the JSON Schema that its payloads are validated against. */
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { DeclaredNames } from '../declared-names.ts'
import { errorFinder, type SchemaError } from '../schema/schema-errors.ts'
import { patternsFor } from './pattern.ts'

/** Who may see events of a type: every user of the tenant, or its administrators alone. */
export type EventAccess = 'user' | 'admin'

export interface EventType {
  /** One sentence: what has happened. */
  summary: string
  /** With `examples`, from which the catalogue shows a payload. */
  payload: TSchema
  /** `user` when left out. */
  access?: EventAccess
}

/** Names are `noun.pastVerb`. */
export type EventCatalogue = Readonly<Record<string, EventType>>

/**
 * The payload of each event. Every feature adds its events by declaration merging, and their schemas by its member
 * `events`.
 */
export interface EventPayloads extends Record<never, object> {}

export type PayloadsOf<C extends EventCatalogue> = { [T in keyof C]: Static<C[T]['payload']> }

/** A payload that is not as the catalogue says is a fault of the code that publishes it. */
export class EventTypes {
  readonly #types = new Map<string, EventType>()
  readonly #checks = new Map<string, Check>()
  /** What subscriptions may name: the types, all of a noun (`order.*`), and `*`. */
  readonly declared: DeclaredNames
  readonly #names = new Map<string, string>()
  /** The types that administrators alone may see. */
  readonly forAdmins: readonly string[]

  /** @throws Error when two catalogues have the same name, in whatever case */
  constructor(catalogues: readonly EventCatalogue[]) {
    for (const [name, type] of catalogues.flatMap((catalogue) => Object.entries(catalogue))) {
      if (this.nameLike(name) !== null) throw new Error(`The event ${name} is in the catalogue twice.`)
      this.#types.set(name, type)
      this.#names.set(name.toLowerCase(), name)
    }
    this.declared = new DeclaredNames([...this.#types.keys()].flatMap(patternsFor))
    this.forAdmins = [...this.#types.keys()].filter((name) => this.accessOf(name) === 'admin')
  }

  /** In the order of their names. */
  list(): [name: string, type: EventType][] {
    return [...this.#types].sort(([one], [other]) => (one < other ? -1 : 1))
  }

  has(name: string): boolean {
    return this.#types.has(name)
  }

  /** The name of the catalogue that is this one, or differs from it in case alone; `null` if there is none. */
  nameLike(name: string): string | null {
    return this.#names.get(name.toLowerCase()) ?? null
  }

  /** `user` for an event of an application, which is in no catalogue. */
  accessOf(name: string): EventAccess {
    return this.#types.get(name)?.access ?? 'user'
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
